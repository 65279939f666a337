/**
 * `kubectl port-forward`, for an upgraded request: SPDY/3.1 on the socket (kubectl before 1.31), SPDY frames inside WebSocket
 * messages (since then), or numbered WebSocket channels (other clients). Mirrors k8s.io/cri-streaming pkg/streaming/portforward
 * and the tunnel of k8s.io/apiserver pkg/util/proxy.
 */
import type { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { StatusError } from '../../apimachinery/status.ts';
import { answerSocket } from '../socket-answer.ts';
import { messageBytesMax, socketTransport, webSocketTransport } from '../transports.ts';
import { base64Channels, binaryChannels, forwardChannels } from './channel-forwarding.ts';
import type { OpenPort, PodTarget } from './forwarded-port.ts';
import { SpdyForwarding } from './spdy-forwarding.ts';

export interface PortForwarderOptions {
  readonly open: OpenPort;
  /** Throws when the pod cannot be forwarded to at all; answered before the upgrade. */
  readonly check?: (namespace: string, pod: string) => void;
  /** Whether clients may send SPDY frames inside WebSocket messages, as they may unless it is false. */
  readonly tunnels?: boolean;
}

export interface PortForwardTarget extends PodTarget {
  /** Named in the query; only the older WebSocket form needs them. */
  readonly ports: readonly number[];
}

export type PortForwardHandler = (raw: IncomingMessage, socket: Duplex, head: Buffer, target: PortForwardTarget) => void;

const protocol = 'portforward.k8s.io';
const tunnelProtocol = `SPDY/3.1+${protocol}`;
const protocolHeader = 'sec-websocket-protocol';
const portRequired = 'query parameter "port" is required';

export function createPortForwarder(options: PortForwarderOptions): PortForwardHandler {
  const channels = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: messageBytesMax, handleProtocols: chooseChannels });
  const tunnels = createTunnelServer();
  return (raw, socket, head, target) => {
    const refusal = checkTarget(options, target);
    if (refusal !== undefined)
      return answerSocket(socket, {
        status: refusal.status.code,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(refusal.status),
      });
    const upgrade = String(raw.headers.upgrade ?? '').toLowerCase();
    if (upgrade === 'spdy/3.1') return acceptSpdy(raw, socket, head, target, options.open);
    if (upgrade !== 'websocket') return answerText(socket, 400, `unable to upgrade: missing upgrade headers in request: ${upgrade}`);
    if (options.tunnels === false) return acceptChannels(raw, socket, head, target, options.open, channels);
    const refused = refuseWebSocket(raw, target);
    if (refused !== undefined) return answerText(socket, 400, refused);
    if (!protocolsOf(raw, protocolHeader).includes(tunnelProtocol)) {
      return channels.handleUpgrade(raw, socket, head, (webSocket) => forwardChannels(webSocket, target, target.ports, options.open));
    }
    // The header is dealt with here: see createTunnelServer.
    delete raw.headers[protocolHeader];
    tunnels.handleUpgrade(raw, socket, head, (webSocket) => tunnel(webSocket, target, options.open));
  };
}

/** Where there are no tunnels: who wants nothing else is forbidden to go on. */
function acceptChannels(...[raw, socket, head, target, open, channels]: [...Parameters<PortForwardHandler>, OpenPort, WebSocketServer]): void {
  const offered = protocolsOf(raw, protocolHeader);
  if (target.ports.length === 0) return answerText(socket, 400, portRequired);
  if (offered.length > 0 && chooseChannels(new Set(offered)) === false) return answerSocket(socket, { status: 403, headers: {}, body: '' });
  channels.handleUpgrade(raw, socket, head, (webSocket) => forwardChannels(webSocket, target, target.ports, open));
}

/** The tunnel's protocol name has a slash, which RFC 6455 does not allow and ws refuses: it is accepted by hand. */
function createTunnelServer(): WebSocketServer {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: messageBytesMax });
  server.on('headers', (headers) => headers.push(`Sec-WebSocket-Protocol: ${tunnelProtocol}`));
  return server;
}

function checkTarget(options: PortForwarderOptions, target: PodTarget): StatusError | undefined {
  try {
    options.check?.(target.namespace, target.pod);
    return undefined;
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
}

function acceptSpdy(raw: IncomingMessage, socket: Duplex, head: Buffer, target: PodTarget, open: OpenPort): void {
  const wanted = protocolsOf(raw, 'x-stream-protocol-version');
  if (wanted.length === 0)
    return answerText(
      socket,
      400,
      `unable to upgrade: header X-Stream-Protocol-Version does not exist in request with ${Object.keys(raw.headers).length} headers`,
    );
  if (!wanted.includes(protocol)) {
    const text = `unable to upgrade: unable to negotiate protocol: client supports [${wanted.join(' ')}], server accepts [${protocol}]`;
    return answerText(socket, 403, text, { 'X-Accepted-Stream-Protocol-Versions': protocol });
  }
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`);
  const forwarding = new SpdyForwarding(target, open, socketTransport(socket));
  socket.on('data', (bytes: Buffer) => forwarding.receive(bytes));
  // A client that has closed its half of the socket can open nothing and hear nothing useful.
  socket.on('end', () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('close', () => forwarding.lost());
  if (head.length > 0) forwarding.receive(head);
}

function tunnel(webSocket: WebSocket, target: PodTarget, open: OpenPort): void {
  const forwarding = new SpdyForwarding(target, open, webSocketTransport(webSocket));
  webSocket.on('error', () => webSocket.terminate());
  webSocket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) forwarding.receive(data);
    else webSocket.close(1003);
  });
  webSocket.on('close', () => forwarding.lost());
}

function refuseWebSocket(raw: IncomingMessage, target: PortForwardTarget): string | undefined {
  const wanted = protocolsOf(raw, protocolHeader);
  if (wanted.includes(tunnelProtocol)) return undefined;
  if (wanted.some((name) => name.startsWith('SPDY/3.1+')))
    return `unable to upgrade: unable to negotiate protocol: client supports [${wanted.join(' ')}], server accepts [${tunnelProtocol}]`;
  if (target.ports.length === 0) return portRequired;
  return undefined;
}

function chooseChannels(offered: ReadonlySet<string>): string | false {
  return [binaryChannels, base64Channels].find((name) => offered.has(name)) ?? false;
}

function protocolsOf(raw: IncomingMessage, name: string): readonly string[] {
  return String(raw.headers[name] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function answerText(socket: Duplex, status: number, text: string, headers: Readonly<Record<string, string>> = {}): void {
  answerSocket(socket, { status, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` });
}

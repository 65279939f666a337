/** Who is at the other end of a connection: the client certificate, looked at once per connection and read once for all of them. */
import type { TLSSocket } from 'node:tls';
import type { PeerSubject } from '../contracts/credentials.ts';
import type { Carrier } from './connections.ts';
import { readSubject, refusedSubject } from './peer-subject.ts';

/** Certificates whose subjects are remembered: of one client that opens many connections, reading them cost more than TLS did. */
const rememberedMax = 256;
const chainMax = 16;

export class Peers {
  readonly #byCarrier = new WeakMap<Carrier, { readonly peer: PeerSubject | undefined }>();
  /** By fingerprint, of certificates that were found right on their connection; oldest first. */
  readonly #subjects = new Map<string, PeerSubject>();

  of(carrier: Carrier): PeerSubject | undefined {
    const known = this.#byCarrier.get(carrier);
    if (known !== undefined) return known.peer;
    const peer = this.#read(('socket' in carrier ? carrier.socket : carrier) as TLSSocket);
    this.#byCarrier.set(carrier, { peer });
    return peer;
  }

  #read(socket: TLSSocket): PeerSubject | undefined {
    if (typeof socket.getPeerX509Certificate !== 'function') return undefined;
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined) return undefined;
    if (!socket.authorized) return refusedSubject(certificate.raw, String(socket.authorizationError));
    const remembered = this.#subjects.get(certificate.fingerprint256);
    if (remembered !== undefined) return remembered;
    const subject = { ...readSubject(certificate.raw), authority: rootOf(socket) };
    this.#subjects.set(certificate.fingerprint256, subject);
    const [oldest] = this.#subjects.keys();
    if (this.#subjects.size > rememberedMax && oldest !== undefined) this.#subjects.delete(oldest);
    return subject;
  }
}

/** SHA-256 of the last certificate above the client's, as hex. */
function rootOf(socket: TLSSocket): string {
  let certificate = socket.getPeerCertificate(true);
  // A root is its own issuer; a chain that the peer made a circle of ends all the same.
  for (let depth = 0; depth < chainMax; depth++) {
    const { issuerCertificate } = certificate;
    if (issuerCertificate === undefined || issuerCertificate.fingerprint256 === certificate.fingerprint256) break;
    certificate = issuerCertificate;
  }
  return certificate.fingerprint256.replaceAll(':', '').toLowerCase();
}

/** What clients are shown of a session is on disk before. */
import type { HttpStreamResponse } from '../apiserver/http-types.ts';
import type { PortSink } from '../contracts/connect.ts';
import type { SessionRecorder } from './session-recorder.ts';

export function shownWhenWritten(response: HttpStreamResponse, recorder: SessionRecorder): HttpStreamResponse {
  return {
    ...response,
    open: (sink) =>
      response.open({
        write: (chunk) => recorder.show(() => sink.write(chunk)),
        end: () => recorder.show(() => sink.end()),
        isBehind: () => sink.isBehind?.() === true,
      }),
  };
}

export function sinkWhenWritten(sink: PortSink, recorder: SessionRecorder): PortSink {
  return {
    onData: (data) => recorder.show(() => sink.onData(data)),
    onError: (message) => recorder.show(() => sink.onError(message)),
    onEnd: () => recorder.show(() => sink.onEnd()),
  };
}

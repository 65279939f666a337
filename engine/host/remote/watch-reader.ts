/** Events of a watch out of the chunks that its stream comes in: lines of JSON, or frames of protobuf. */
import type { KubeObject } from '../../apimachinery/object.ts';
import { decodeWatchEvent } from '../../apimachinery/serializer/envelope.ts';
import type { Status } from '../../apimachinery/status.ts';
import type { WatchEvent, WatchEventType } from '../../contracts/request.ts';
import { protobufType, type WireForms } from './wire-forms.ts';

const lineFeed = 10;
const lengthBytes = 4;
/** As much as upstream's reader takes for a frame. */
const frameBytesMax = 64 * 1024 * 1024;

export class WatchReader {
  readonly #forms: WireForms;
  readonly #isProtobuf: boolean;
  /** What has come of an event that is not whole yet, and how many bytes it needs, where that is known. */
  #rest: Buffer[] = [];
  #restBytes = 0;
  #neededBytes = lengthBytes;

  constructor(forms: WireForms, contentType: string) {
    this.#forms = forms;
    this.#isProtobuf = contentType.startsWith(protobufType);
  }

  /** Those that are whole now. Throws for a stream that cannot be read on. */
  eventsIn<T extends KubeObject>(chunk: Buffer): readonly WatchEvent<T | Status>[] {
    return this.#isProtobuf ? this.#framesIn<T>(chunk) : this.#linesIn<T>(chunk);
  }

  #linesIn<T>(chunk: Buffer): readonly WatchEvent<T | Status>[] {
    const end = chunk.lastIndexOf(lineFeed);
    if (end < 0) {
      this.#rest.push(chunk);
      return [];
    }
    const whole = Buffer.concat([...this.#rest, chunk.subarray(0, end)]).toString('utf8');
    this.#rest = [chunk.subarray(end + 1)];
    return whole
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as WatchEvent<T | Status>);
  }

  #framesIn<T>(chunk: Buffer): readonly WatchEvent<T | Status>[] {
    this.#rest.push(chunk);
    this.#restBytes += chunk.length;
    // Joined only when there is a whole one in it: a frame may come in many chunks.
    if (this.#restBytes < this.#neededBytes) return [];
    const bytes = Buffer.concat(this.#rest);
    const events: WatchEvent<T | Status>[] = [];
    let at = 0;
    this.#neededBytes = lengthBytes;
    while (bytes.length - at >= lengthBytes) {
      const length = bytes.readUInt32BE(at);
      if (length > frameBytesMax) throw new Error(`a frame of ${length} bytes is too long`);
      this.#neededBytes = lengthBytes + length;
      if (bytes.length - at < this.#neededBytes) break;
      events.push(this.#eventOf<T>(bytes.subarray(at + lengthBytes, at + this.#neededBytes)));
      at += this.#neededBytes;
      this.#neededBytes = lengthBytes;
    }
    this.#rest = [bytes.subarray(at)];
    this.#restBytes = bytes.length - at;
    return events;
  }

  #eventOf<T>(frame: Uint8Array): WatchEvent<T | Status> {
    const { type, object } = decodeWatchEvent(frame);
    return { type: type as WatchEventType, object: this.#forms.unwrap(object) as T | Status };
  }
}

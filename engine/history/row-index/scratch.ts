/** Room for numbers of one question, used again by the next: megabytes that come and go with each question have the whole heap collected every few of them. */
export class Scratch<Numbers extends Float64Array | Int32Array> {
  readonly #make: new (
    length: number,
  ) => Numbers;
  #room: Numbers | undefined;

  constructor(make: new (length: number) => Numbers) {
    this.#make = make;
  }

  /** What stands in it is of the question before. */
  ofLength(length: number): Numbers {
    if (this.#room === undefined || this.#room.length < length) this.#room = new this.#make(Math.ceil(length * 1.25));
    return this.#room.subarray(0, length) as Numbers;
  }
}

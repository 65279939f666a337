/** Why a metric says nothing, layer by layer in upstream's words. */

/** What keeps a metric from saying anything; the message is upstream's. */
export class MetricError extends Error {
  /** As the list of all metrics tells it, which has a layer more for some. */
  readonly summary: string;

  constructor(message: string, summary = message) {
    super(message);
    this.name = 'MetricError';
    this.summary = summary;
  }
}

/** A failure within it is told with these words in front. */
export async function within<T>(words: string, run: () => Promise<T>, between = ': '): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof MetricError)) throw error;
    throw new MetricError(words + between + error.message);
  }
}

/** What the list of all metrics says more than the event. */
export async function layered<T>(words: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof MetricError)) throw error;
    throw new MetricError(error.message, `${words}: ${error.message}`);
  }
}

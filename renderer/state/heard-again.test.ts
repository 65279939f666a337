import { describe, expect, it } from 'vitest';
import { fetchWhenHeard } from './heard-again.ts';
import { useClock } from './clock.ts';

/** Fails as often as told, then gives the file. */
function importer(failures: number): { readonly load: () => Promise<string>; readonly asked: () => number } {
  let asked = 0;
  const load = async (): Promise<string> => {
    asked++;
    if (asked <= failures) throw new TypeError('Failed to fetch dynamically imported module');
    return 'the view';
  };
  return { load, asked: () => asked };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a file that cannot be fetched', () => {
  it('is asked for again when the engine is heard again, and not before', async () => {
    useClock.setState({ hearing: 'lost' });
    const { load, asked } = importer(1);
    let got = '';
    const coming = fetchWhenHeard(load).then((file) => (got = file));
    await turn();
    useClock.setState({ speed: '60' });
    await turn();
    expect([asked(), got]).toEqual([1, '']);
    useClock.getState().setHearing('heard');
    await coming;
    expect([asked(), got]).toEqual([2, 'the view']);
  });

  it('is asked for again where the page has not noticed yet that the engine is lost', async () => {
    useClock.setState({ hearing: 'heard' });
    const { load, asked } = importer(1);
    const coming = fetchWhenHeard(load);
    await turn();
    useClock.getState().setHearing('lost');
    await turn();
    expect(asked()).toBe(1);
    useClock.getState().setHearing('heard');
    expect(await coming).toBe('the view');
  });

  it('is asked for again where the engine was heard all the time, and who follows the clock is not told of each word', async () => {
    useClock.setState({ hearing: 'heard' });
    let told = 0;
    const end = useClock.subscribe(() => told++);
    const { load, asked } = importer(1);
    const coming = fetchWhenHeard(load);
    await turn();
    for (let word = 0; word < 5; word++) useClock.getState().setHearing('heard');
    expect(await coming).toBe('the view');
    end();
    expect([asked(), told]).toEqual([2, 0]);
  });

  it('that an engine which is heard does not give is told', async () => {
    const { load, asked } = importer(100);
    await expect(fetchWhenHeard(load, () => Promise.resolve())).rejects.toThrow('Failed to fetch');
    expect(asked()).toBe(4);
  });
});

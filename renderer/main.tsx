/** Entry of the page: theme, address, socket, then React. */
import { createRoot } from 'react-dom/client';
import { startWatching } from './api/watches.ts';
import { Sizes, SizesContext } from './lib/use-size.ts';
import { App } from './shell/App.tsx';
import { rested } from './lib/rested.ts';
import { fetchLater } from './shell/later.tsx';
import { rehearseRows } from './timeline/rehearse.ts';
import { followAddress } from './state/navigation.ts';
import { startFollowing } from './state/start.ts';
import { startTheme } from './state/theme.ts';

startTheme();
followAddress();
startWatching();
startFollowing();
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <SizesContext value={new Sizes()}>
      <App />
    </SizesContext>,
  );
void fetchLater().then(rehearse);

async function rehearse(): Promise<void> {
  const context = document.createElement('canvas').getContext('2d');
  if (context) await rehearseRows(context, rested);
}

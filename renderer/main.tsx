/** Entry of the page: theme, address, socket, then React. */
import { createRoot } from 'react-dom/client';
import { startWatching } from './api/watches.ts';
import { Sizes, SizesContext } from './lib/use-size.ts';
import { App } from './shell/App.tsx';
import { fetchLater } from './shell/later.tsx';
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
void fetchLater();

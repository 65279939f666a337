/** A script of its own, run before anything is painted: the frame that the document brings along has the right colours from its first moment on. */
import { applyTheme, storedChoice } from './theme-choice.ts';

applyTheme(storedChoice());

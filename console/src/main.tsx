// The entry point of the console: theme, router, shortcuts, then the session, from a one-time token or a cookie.
import { render } from 'preact';
import { loadSession, problemOf, session, signIn } from './api.ts';
import { App } from './app.tsx';
import { say } from './components/basics.tsx';
import { startKeyboard } from './keyboard.ts';
import { startLive } from './live.ts';
import { startRouter } from './router.ts';
import { startTheme } from './theme.ts';

startTheme();
startRouter();
startKeyboard();
render(<App />, document.getElementById('app')!);

/** The token is in the fragment of the address, so it is sent only in this request; then it is removed from the address. */
async function useToken(): Promise<void> {
  const token = /^#token=([\w-]+)$/.exec(window.location.hash)?.[1];
  if (token === undefined) return;
  history.replaceState(null, '', window.location.pathname + window.location.search);
  await signIn({ token }, true).catch(() => {});
}

const ASK_AGAIN_MS = 3000;
/** Asks until the server answers: a server that is just restarted should not leave an empty page. */
async function findSession(): Promise<void> {
  for (;;) {
    try {
      return await loadSession();
    } catch (error) {
      say(problemOf(error));
    }
    await new Promise(resolve => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

await useToken();
await findSession();
let isLive = false;
session.subscribe(value => {
  if (!value || isLive) return;
  isLive = true;
  void startLive().catch(() => {
    isLive = false;
  });
});

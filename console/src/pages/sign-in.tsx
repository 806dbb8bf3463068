// Signing in with an access key, when there is no session and no one-time token.
import { useState } from 'preact/hooks';
import { loadSession, signIn } from '../api.ts';
import { Problem } from '../components/basics.tsx';

export function SignIn() {
  const [id, setId] = useState('');
  const [secret, setSecret] = useState('');
  const [error, setError] = useState<unknown>(undefined);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await signIn({ accessKeyId: id.trim(), secretAccessKey: secret });
      setError(undefined);
      await loadSession();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <main class="signin">
      <div class="card">
        <h1>Sign in to Trenio</h1>
        <p class="quiet small" style={{ marginTop: '8px' }}>
          <code>trenio server</code> prints an address that signs you in, once. You can also use an access key of this
          server.
        </p>
        <form onSubmit={event => void submit(event)}>
          <label class="field">
            Access key ID
            <input
              class="input mono"
              value={id}
              onInput={event => setId(event.currentTarget.value)}
              autocomplete="username"
              required
            />
          </label>
          <label class="field">
            Secret access key
            <input
              class="input mono"
              type="password"
              value={secret}
              onInput={event => setSecret(event.currentTarget.value)}
              autocomplete="current-password"
              required
            />
          </label>
          {error === undefined ? null : <Problem error={error} />}
          <button type="submit" class="button" data-kind="primary">
            Sign in
          </button>
        </form>
      </div>
    </main>
  );
}

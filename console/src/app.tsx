// The frame around all pages: navigation, the current page, help.
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { lazy, Suspense } from 'preact/compat';
import { useEffect } from 'preact/hooks';
import { mayWrite, session, signOut } from './api.ts';
import { Dialog, Skeleton, Toasts } from './components/basics.tsx';
import { Icon, type IconName } from './components/icon.tsx';
import { isActive } from './job-row.ts';
import { helpShown, jumps } from './keyboard.ts';
import { connection, jobs } from './live.ts';
import { Jobs } from './pages/jobs.tsx';
import { Overview } from './pages/overview.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { href, path } from './router.ts';
import { switchTheme, theme } from './theme.ts';

interface Place {
  readonly to: string;
  readonly title: string;
  readonly icon: IconName;
  readonly page: ComponentType;
  /** Shown to admins only; the server refuses others. */
  readonly isAdminsOnly?: boolean;
}

const resource = (name: 'Processing' | 'Transform' | 'Models' | 'EndpointConfigs') =>
  lazy(() => import('./pages/resources.tsx').then(page => page[name]));

const groups: readonly { readonly name: string; readonly places: readonly Place[] }[] = [
  {
    name: 'Train',
    places: [
      { to: '/', title: 'Overview', icon: 'overview', page: Overview },
      { to: '/jobs', title: 'Jobs', icon: 'jobs', page: Jobs },
      {
        to: '/compare',
        title: 'Compare',
        icon: 'compare',
        page: lazy(() => import('./pages/compare.tsx').then(page => page.Compare)),
      },
      {
        to: '/tuning',
        title: 'Tuning',
        icon: 'tuning',
        page: lazy(() => import('./pages/tunings.tsx').then(page => page.Tunings)),
      },
      { to: '/processing', title: 'Processing', icon: 'columns', page: resource('Processing') },
      {
        to: '/data',
        title: 'Data',
        icon: 'download',
        page: lazy(() => import('./pages/data.tsx').then(page => page.Data)),
      },
    ],
  },
  {
    name: 'Serve',
    places: [
      {
        to: '/endpoints',
        title: 'Endpoints',
        icon: 'endpoints',
        page: lazy(() => import('./pages/endpoints.tsx').then(page => page.Endpoints)),
      },
      { to: '/models', title: 'Models', icon: 'overview', page: resource('Models') },
      { to: '/endpoint-configs', title: 'Configurations', icon: 'jobs', page: resource('EndpointConfigs') },
      { to: '/transform', title: 'Transform', icon: 'again', page: resource('Transform') },
    ],
  },
  {
    name: 'Run',
    places: [
      {
        to: '/clusters',
        title: 'Clusters',
        icon: 'clusters',
        page: lazy(() => import('./pages/clusters.tsx').then(page => page.Clusters)),
      },
    ],
  },
  {
    name: 'Decide',
    places: [
      {
        to: '/plan',
        title: 'Plan',
        icon: 'plan',
        page: lazy(() => import('./pages/plan.tsx').then(page => page.Plan)),
      },
      {
        to: '/capacity',
        title: 'Capacity',
        icon: 'capacity',
        page: lazy(() => import('./pages/capacity.tsx').then(page => page.Capacity)),
      },
      {
        to: '/hardware',
        title: 'Hardware',
        icon: 'hardware',
        page: lazy(() => import('./pages/hardware.tsx').then(page => page.Hardware)),
      },
    ],
  },
  {
    name: 'Administer',
    places: [
      {
        to: '/access',
        title: 'Access',
        icon: 'keys',
        page: lazy(() => import('./pages/access.tsx').then(page => page.Access)),
        isAdminsOnly: true,
      },
    ],
  },
];
const places = groups.flatMap(group => group.places);
const isShown = ({ isAdminsOnly }: Place): boolean => isAdminsOnly !== true || session.value?.role === 'admin';
const Tuning = lazy(() => import('./pages/tuning.tsx').then(page => page.Tuning));
const Job = lazy(() => import('./pages/job.tsx').then(page => page.Job));

const menuOpen = signal(false);

export function App() {
  const signedIn = session.value;
  if (signedIn === null) return <SignIn />;
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <div class="topbar">
        <Brand />
        <button type="button" class="button" aria-label="Menu" aria-expanded={menuOpen.value} onClick={toggleMenu}>
          <Icon name="menu" />
        </button>
      </div>
      {menuOpen.value ? <button type="button" class="scrim" aria-label="Close the menu" onClick={toggleMenu} /> : null}
      <Sidebar />
      <main class="main" id="main" tabIndex={-1} style={{ outline: 'none' }}>
        <div class="main-inner">
          {signedIn === undefined ? (
            <Skeleton lines={6} />
          ) : (
            <Suspense fallback={<Skeleton lines={6} />}>
              <Page />
            </Suspense>
          )}
        </div>
      </main>
      {helpShown.value ? <Help /> : null}
      <Toasts />
    </div>
  );
}

const toggleMenu = (): void => {
  menuOpen.value = !menuOpen.value;
};

function Page() {
  const at = path.value;
  useEffect(() => {
    menuOpen.value = false;
    const name = /^\/(?:jobs|tuning)\/(.+)$/.exec(at)?.[1];
    const title = name === undefined ? places.find(({ to }) => to === at)?.title : decodeURIComponent(name);
    document.title = `${title ?? 'Not found'} · Trenio`;
  }, [at]);
  if (at.startsWith('/jobs/')) return <Job key={at} name={decodeURIComponent(at.slice(6))} />;
  if (at.startsWith('/tuning/')) return <Tuning key={at} name={decodeURIComponent(at.slice(8))} />;
  const place = places.find(one => one.to === at && isShown(one));
  if (place === undefined)
    return (
      <div class="empty">
        <h1>Not found</h1>
        <p>
          The console has no page <code>{at}</code>.{' '}
          <a class="link" href={href('/')}>
            Overview
          </a>
        </p>
      </div>
    );
  return <place.page />;
}

const Brand = () => (
  <a class="brand" href={href('/')} aria-label="Trenio, overview">
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path
        d="M8 10h16M16 10v13M10.5 23h11"
        stroke="var(--accent-ink)"
        stroke-width="3"
        stroke-linecap="round"
        fill="none"
      />
    </svg>
    Trenio
  </a>
);

function Sidebar() {
  const at = path.value;
  const active = [...(jobs.value?.values() ?? [])].filter(isActive).length;
  return (
    <aside class="sidebar" data-open={menuOpen.value}>
      <Brand />
      <nav aria-label="Pages">
        {groups
          .filter(group => group.places.some(isShown))
          .map(group => (
            <div key={group.name}>
              <div class="nav-group">{group.name}</div>
              {group.places.filter(isShown).map(({ to, title, icon }) => (
                <a
                  key={to}
                  class="nav-item"
                  href={href(to)}
                  aria-current={at === to || (to !== '/' && at.startsWith(`${to}/`)) ? 'page' : undefined}
                >
                  <Icon name={icon} />
                  {title}
                  {to === '/jobs' && active > 0 ? (
                    <span class="count">
                      {active}
                      <span class="visually-hidden"> active</span>
                    </span>
                  ) : null}
                </a>
              ))}
            </div>
          ))}
      </nav>
      <div class="sidebar-foot">
        <div class="live" data-state={connection.value} role="status">
          {connection.value === 'broken' ? 'Reconnecting …' : connection.value === 'open' ? 'Live' : 'Connecting …'}
          <span style={{ marginLeft: 'auto' }}>{session.value?.role}</span>
        </div>
        <button type="button" class="nav-item" onClick={switchTheme}>
          <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} />
          {theme.value === 'dark' ? 'Light theme' : 'Dark theme'}
        </button>
        <button
          type="button"
          class="nav-item"
          onClick={() => {
            helpShown.value = true;
          }}
        >
          <Icon name="keyboard" />
          Keyboard
          <span class="count">?</span>
        </button>
        <button type="button" class="nav-item" onClick={() => void signOut()}>
          <Icon name="out" />
          Sign out
        </button>
      </div>
    </aside>
  );
}

const Help = () => (
  <Dialog
    title="Keyboard"
    onClose={() => {
      helpShown.value = false;
    }}
  >
    <dl class="keys">
      {Object.entries(jumps)
        .filter(([, { to }]) => places.some(place => place.to === to && isShown(place)))
        .flatMap(([key, { name }]) => [
          <dt key={`${key}t`}>
            <kbd>g</kbd> <kbd>{key}</kbd>
          </dt>,
          <dd key={key}>{name}</dd>,
        ])}
      <dt>
        <kbd>/</kbd>
      </dt>
      <dd>Search the page</dd>
      <dt>
        <kbd>j</kbd> <kbd>k</kbd>
      </dt>
      <dd>Next and previous job</dd>
      <dt>
        <kbd>Enter</kbd>
      </dt>
      <dd>Open the job</dd>
      <dt>
        <kbd>x</kbd>
      </dt>
      <dd>Select the job to compare it</dd>
      <dt>
        <kbd>?</kbd>
      </dt>
      <dd>This help</dd>
    </dl>
    {mayWrite() ? null : <p class="quiet small">You are signed in with a read-only key.</p>}
  </Dialog>
);

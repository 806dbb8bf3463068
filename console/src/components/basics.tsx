// The small components that all pages share.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { download, problemOf } from '../api.ts';
import type { Tone } from '../job-row.ts';
import { Icon, type IconName } from './icon.tsx';

type Children = { readonly children?: ComponentChildren };

export const Badge = ({ tone, children }: Children & { readonly tone: Tone }) => (
  <span class="badge" data-tone={tone}>
    {children}
  </span>
);

export function PageHead({
  title,
  note,
  children,
}: Children & { readonly title: ComponentChildren; readonly note?: ComponentChildren }) {
  return (
    <header class="page-head">
      <div class="page-title">
        <h1 class="truncate">{title}</h1>
        {note === undefined ? null : <p>{note}</p>}
      </div>
      {children === undefined ? null : <div class="actions">{children}</div>}
    </header>
  );
}

export function Card({
  title,
  actions,
  children,
  flush = false,
  class: name = '',
}: Children & {
  readonly title?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** The content has its own padding. */
  readonly flush?: boolean;
  readonly class?: string;
}) {
  return (
    <section class={`card ${name}`}>
      {title === undefined ? null : (
        <div class="card-head">
          <h2>{title}</h2>
          {actions === undefined ? null : <div class="actions">{actions}</div>}
        </div>
      )}
      {flush ? children : <div class="card-body">{children}</div>}
    </section>
  );
}

export function Stat({
  name,
  children,
  note,
}: Children & { readonly name: ComponentChildren; readonly note?: ComponentChildren }) {
  return (
    <div class="stat">
      <dt>{name}</dt>
      <dd>
        {children}
        {note === undefined ? null : <div class="note">{note}</div>}
      </dd>
    </div>
  );
}

export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  return (
    <button
      type="button"
      class="button"
      data-kind="bare"
      aria-label={label}
      title={label}
      onClick={() => void navigator.clipboard.writeText(text).then(() => say('Copied'))}
    >
      <Icon name="copy" />
    </button>
  );
}

/** Downloads a file of the server; the address is one of its API. */
export const Download = ({
  address,
  label,
  kind,
  children,
}: Children & { readonly address: string; readonly label?: string; readonly kind?: string }) => (
  <button
    type="button"
    class="button"
    data-kind={kind}
    aria-label={label}
    onClick={() => void download(address).catch(error => say(problemOf(error)))}
  >
    <Icon name="download" />
    {children}
  </button>
);

export const Command = ({ text }: { readonly text: string }) => (
  <div class="command">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
    <pre tabIndex={0}>{text}</pre>
    <CopyButton text={text} label="Copy the command" />
  </div>
);

/** An empty page or list: a description of the missing content, and the command that creates it. */
export const Empty = ({
  title,
  children,
  command,
}: Children & { readonly title: string; readonly command?: string }) => (
  <div class="empty">
    <h2>{title}</h2>
    <p>{children}</p>
    {command === undefined ? null : <Command text={command} />}
  </div>
);

export const Problem = ({ error }: { readonly error: unknown }) => (
  <div class="problem" role="alert">
    <div>
      <strong>Not possible: </strong>
      {problemOf(error)}
    </div>
  </div>
);

export const Skeleton = ({ lines = 3 }: { readonly lines?: number }) => (
  <div class="stack" role="status">
    <span class="visually-hidden">Loading</span>
    {Array.from({ length: lines }, (_, i) => (
      <span key={i} class="skeleton" style={{ width: `${[92, 70, 84, 58, 76][i % 5]}%` }} />
    ))}
  </div>
);

export interface Choice<T extends string> {
  readonly value: T;
  readonly text: string;
  readonly count?: number;
}

export function Segments<T extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  readonly label: string;
  readonly choices: readonly Choice<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line everywhere
    <div class="segments" role="group" aria-label={label}>
      {choices.map(choice => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.text}
          {choice.count === undefined ? null : <span class="count"> {choice.count.toLocaleString('en-US')}</span>}
        </button>
      ))}
    </div>
  );
}

export function Search({
  label,
  value,
  onInput,
  onKeyDown,
}: {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}) {
  return (
    <div class="search">
      <Icon name="search" />
      <input
        class="input"
        type="search"
        placeholder={label}
        aria-label={label}
        value={value}
        onInput={event => onInput(event.currentTarget.value)}
        onKeyDown={event => onKeyDown?.(event)}
      />
    </div>
  );
}

export function Button({
  icon,
  kind,
  children,
  onClick,
  disabled = false,
  title,
}: Children & {
  readonly icon?: IconName;
  readonly kind?: 'primary' | 'danger' | 'bare';
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly title?: string;
}) {
  return (
    <button type="button" class="button" data-kind={kind} onClick={onClick} disabled={disabled} title={title}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  );
}

export function Dialog({
  title,
  onClose,
  children,
  foot,
}: Children & { readonly title: string; readonly onClose: () => void; readonly foot?: ComponentChildren }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => ref.current?.showModal(), []);
  return (
    <dialog ref={ref} onClose={onClose} aria-label={title}>
      <div class="dialog-head">
        <h2>{title}</h2>
        <span style={{ marginLeft: 'auto' }} />
        <button type="button" class="button" data-kind="bare" aria-label="Close" onClick={() => ref.current?.close()}>
          <Icon name="close" />
        </button>
      </div>
      <div class="dialog-body">{children}</div>
      {foot === undefined ? null : <div class="dialog-foot">{foot}</div>}
    </dialog>
  );
}

const said = signal('');
let saidTimer = 0;
/** A short message in the corner; screen readers read it out. */
export function say(text: string): void {
  said.value = text;
  window.clearTimeout(saidTimer);
  saidTimer = window.setTimeout(() => {
    said.value = '';
  }, 3500);
}
export const Toasts = () => (
  <div role="status" aria-live="polite">
    {said.value === '' ? null : <div class="toast">{said.value}</div>}
  </div>
);

/** What a page shows instead of what could not be loaded. */
import { MoorageError } from 'moorage-client';
import { say, type WordKey } from '../words';
import { Icon } from './icon';

/** The sentence for a person. Refused changes have a sentence of the service that says what to do. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof MoorageError)) return say('wrong.network');
  const { code, status, message } = error;
  if (code === 'NO_ANSWER') return say('wrong.noAnswer');
  const known: { [status: number]: WordKey } = {
    0: 'wrong.network',
    401: 'wrong.signedOut',
    403: 'wrong.forbidden',
    404: 'wrong.missing',
    429: 'wrong.busy',
    503: 'wrong.busy',
  };
  const key = known[status ?? 0];
  return key ? say(key) : (status ?? 500) >= 500 ? say('wrong.other') : message;
}

/**
 * An object that is not there has no second try.
 * @param whole whether nothing else is on the page, so that this is its heading
 */
export function Failure({
  error,
  again,
  whole = false,
}: {
  error: unknown;
  again?: () => void;
  whole?: boolean;
}) {
  if (whole && error instanceof MoorageError && error.status === 404) return <Missing />;
  const Title = whole ? 'h1' : 'h2';
  const id = error instanceof MoorageError ? error.requestId : undefined;
  return (
    <div className="blank" role="alert">
      <Icon name="warn" />
      <Title>{say('wrong.title')}</Title>
      <p>{reasonOf(error)}</p>
      {again && (
        <button type="button" className="button main" onClick={again}>
          <Icon name="again" />
          {say('app.retry')}
        </button>
      )}
      {id && (
        <details className="small">
          <summary>{say('app.details')}</summary>
          <code>{id}</code>
        </details>
      )}
    </div>
  );
}

/** The page of what does not exist, or is hidden. */
export function Missing() {
  return (
    <div className="blank">
      <title>{say('wrong.missingTitle')}</title>
      <Icon name="search" />
      <h1>{say('wrong.nothingThere')}</h1>
      <p>{say('wrong.nothingThereWhy')}</p>
      <div className="row">
        <a className="button main" href="/search">
          <Icon name="search" />
          {say('wrong.searchForIt')}
        </a>
        <a className="button" href="/">
          {say('app.home')}
        </a>
      </div>
    </div>
  );
}

export function Loading() {
  return (
    <div className="blank" role="status">
      <Icon name="again" turning />
      <p>{say('app.loading')}</p>
    </div>
  );
}

export function Blank({
  icon,
  title,
  children,
}: {
  icon: Parameters<typeof Icon>[0]['name'];
  title: string;
  children?: React.ReactNode;
}) {
  return (
    <div className="blank">
      <Icon name={icon} />
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}

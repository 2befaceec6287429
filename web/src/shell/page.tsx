/** The frame of every page. */
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useNews } from '../find/news';
import { Tray } from '../uploads/tray';
import { say } from '../words';
import { Bar } from './bar';
import { KeyboardMap } from './keyboard-map';
import { Messages } from './messages';
import { SignedOut } from './signed-out';

export function Page() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const first = useRef(true);
  useNews();
  // A screen reader goes on with the new page, as after a click on a link of a plain page.
  useEffect(() => {
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [path]);
  return (
    <>
      <a className="skip" href="#content">
        {say('app.skip')}
      </a>
      <SignedOut />
      <Bar />
      <main id="content" tabIndex={-1} ref={main}>
        <Outlet />
      </main>
      <Tray />
      <KeyboardMap />
      <Messages />
    </>
  );
}

/** The title of the window, and the dark heading above a page's content. */
export function Heading({
  title,
  count,
  window: windowTitle = title,
  above,
  facts,
  actions,
}: {
  title: string;
  /** How many rows the page lists. */
  count?: string;
  window?: string;
  above?: React.ReactNode;
  facts?: React.ReactNode;
  actions?: React.ReactNode;
}) {
  return (
    <div className="hull">
      <title>{`${windowTitle} · Moorage`}</title>
      <div className="hull-in">
        <div>
          {above}
          <h1>
            <bdi>{title}</bdi> {count && <span className="count">{count}</span>}
          </h1>
          {facts && <div className="facts">{facts}</div>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </div>
    </div>
  );
}

/** The bar on every page: where one can go, the search box, what is new, and oneself. */
import { Link, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { say } from '../words';
import { ChangePassword } from './change-password';
import { Icon } from './icon';
import { showKeyboardMap } from './keyboard-map';
import { Languages } from './languages';
import { useMe } from './me';
import { Menu } from './menu';
import { SearchBox } from './search-box';
import { useSignOut } from './sign-out';

const places = [
  { to: '/', label: 'app.home' },
  { to: '/projects', label: 'app.projects' },
  { to: '/recent', label: 'app.recent' },
] as const;
const administration = { to: '/administration', label: 'app.administration' } as const;

export function Bar() {
  const me = useMe().data?.viewer;
  const shown = me?.admin ? [...places, administration] : places;
  const unread = me?.unread.totalCount ?? 0;
  const { leave, question } = useSignOut();
  const [changing, setChanging] = useState(false);
  const hasOwnSearch = useRouterState({
    select: ({ location: { pathname } }) => pathname === '/search',
  });
  return (
    <header className="bar">
      <div className="bar-in">
        <Link to="/" className="brand">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <path
              d="M5 25V13a5 5 0 0 1 10 0v12M15 13a5.5 5.5 0 0 1 11 0v8a4 4 0 0 0 4 4"
              fill="none"
              stroke="currentColor"
              strokeWidth="2.6"
              strokeLinecap="round"
            />
            <circle cx="5" cy="27" r="2.2" fill="var(--hull-mark)" />
            <circle cx="15" cy="27" r="2.2" fill="var(--hull-mark)" />
          </svg>
          Moorage
        </Link>
        <nav aria-label="Moorage">
          <ul>
            {shown.map(({ to, label }) => (
              <li key={to}>
                <Link to={to} activeOptions={{ exact: to === '/' }}>
                  {say(label)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="bar-end">
          {!hasOwnSearch && <SearchBox />}
          <Link to="/search" search={{ q: '' }} className="round narrow-only">
            <Icon name="search" />
            <span className="unseen">{say('app.search')}</span>
          </Link>
          <Link to="/notifications" className="round">
            <Icon name="bell" />
            <span className="unseen">
              {unread > 0 ? say('app.unread', { count: unread }) : say('app.notifications')}
            </span>
            {unread > 0 && (
              <span className="new" aria-hidden="true">
                {unread > 99 ? '99+' : unread}
              </span>
            )}
          </Link>
          <Menu label={say('app.menu')} className="narrow-only" face={<Icon name="menu" />}>
            {shown.map(({ to, label }) => (
              <Link key={to} to={to}>
                {say(label)}
              </Link>
            ))}
          </Menu>
          {me && (
            <Menu
              label={say('app.account', { name: me.name })}
              face={
                <span className="face" aria-hidden="true">
                  {me.avatarUrl ? (
                    <img src={me.avatarThumbnail?.href ?? me.avatarUrl} alt="" />
                  ) : (
                    me.name.slice(0, 1)
                  )}
                </span>
              }
            >
              <p className="small soft">{say('app.account', { name: me.name })}</p>
              <Link to="/account">{say('account.title')}</Link>
              <a href="/explorer">{say('app.explorer')}</a>
              <a href="/api/docs">{say('app.apiDocs')}</a>
              <a href="/assets/web/LICENCES.txt" target="_blank" rel="noreferrer">
                {say('app.licences')}
              </a>
              <button type="button" onClick={showKeyboardMap}>
                {say('keys.title')}
              </button>
              <Languages />
              {me.viewerCanChangePassword && (
                <button type="button" onClick={() => setChanging(true)}>
                  {say('password.title')}
                </button>
              )}
              <button type="button" onClick={leave}>
                {say('app.signOut')}
              </button>
            </Menu>
          )}
          {question}
          {me && changing && <ChangePassword login={me.login} onClose={() => setChanging(false)} />}
        </div>
      </div>
    </header>
  );
}

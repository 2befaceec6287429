/** The frame of each page of administrators: its heading, and the way to the others. */
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { Icon, type IconName } from '../shell/icon';
import { Heading } from '../shell/page';
import { say, type WordKey } from '../words';

interface Entry {
  to:
    | '/administration/storages'
    | '/administration/quarantine'
    | '/administration/usage'
    | '/administration/people'
    | '/administration/projects'
    | '/administration/roles'
    | '/administration/audit'
    | '/administration/webhooks'
    | '/administration/applications'
    | '/administration/import'
    | '/administration/system';
  label: WordKey;
  icon: IconName;
}
const groups: readonly { label: WordKey; entries: readonly Entry[] }[] = [
  {
    label: 'admin.ofFiles',
    entries: [
      { to: '/administration/storages', label: 'admin.storages', icon: 'cloud' },
      { to: '/administration/quarantine', label: 'quarantine.title', icon: 'shield' },
      { to: '/administration/usage', label: 'usage.title', icon: 'box' },
    ],
  },
  {
    label: 'admin.ofPeople',
    entries: [
      { to: '/administration/people', label: 'people.title', icon: 'talk' },
      { to: '/administration/projects', label: 'app.projects', icon: 'folder' },
      { to: '/administration/roles', label: 'table.roles', icon: 'list' },
      { to: '/administration/audit', label: 'audit.title', icon: 'clock' },
    ],
  },
  {
    label: 'admin.ofSystem',
    entries: [
      { to: '/administration/webhooks', label: 'webhooks.title', icon: 'send' },
      { to: '/administration/applications', label: 'applications.title', icon: 'key' },
      { to: '/administration/import', label: 'import.title', icon: 'drop' },
      { to: '/administration/system', label: 'system.title', icon: 'server' },
    ],
  },
];

export function Frame({
  title,
  above,
  count,
  facts,
  actions,
  children,
}: {
  title: string;
  /** The list to which the page belongs. */
  above?: { to: Entry['to']; label: WordKey };
  count?: string | undefined;
  facts?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const rail = useRef<HTMLElement>(null);
  // On a phone the rail is a bar that scrolls.
  useEffect(() => {
    const present = rail.current?.querySelector('[aria-current]');
    present?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, []);
  return (
    <>
      <Heading
        title={title}
        window={say('admin.window', { title })}
        above={
          <nav className="crumbs" aria-label={say('admin.where')}>
            <ol>
              <li>
                <Link to="/administration">{say('app.administration')}</Link>
              </li>
              {above && (
                <li>
                  <Link to={above.to}>{say(above.label)}</Link>
                </li>
              )}
            </ol>
          </nav>
        }
        {...(count && { count })}
        facts={facts}
        actions={actions}
      />
      <div className="wrap">
        <div className="admin">
          <nav className="rail" ref={rail} aria-label={say('app.administration')}>
            {groups.map(({ label, entries }) => (
              <div key={label} role="group" aria-label={say(label)}>
                <p aria-hidden="true">{say(label)}</p>
                <ul>
                  {entries.map(({ to, label, icon }) => (
                    <li key={to}>
                      <Link to={to}>
                        <Icon name={icon} />
                        {say(label)}
                      </Link>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </nav>
          <div className="admin-main">{children}</div>
        </div>
      </div>
    </>
  );
}

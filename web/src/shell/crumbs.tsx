/** Where a page is: the pages above it. */
import { Link } from '@tanstack/react-router';
import { say } from '../words';

export function Crumbs({
  project,
  children,
}: {
  project?: { identifier: string; name: string };
  /** The last step, as `li`. */
  children?: React.ReactNode;
}) {
  return (
    <nav className="crumbs" aria-label={say('app.projects')}>
      <ol>
        <li>
          <Link to="/projects">{say('app.projects')}</Link>
        </li>
        {project && (
          <li>
            <Link to="/projects/$identifier" params={{ identifier: project.identifier }}>
              <span>{project.name}</span>
            </Link>
          </li>
        )}
        {children}
      </ol>
    </nav>
  );
}

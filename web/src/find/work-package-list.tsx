import { Link } from '@tanstack/react-router';
import type { WorkPackageRowFragment } from '../generated/documents';
import { StatusSign } from '../shell/status';
import { Time } from '../shell/time';
import { say } from '../words';

export function WorkPackageList({
  rows,
  withProject = false,
}: {
  rows: WorkPackageRowFragment[];
  withProject?: boolean;
}) {
  return (
    <ul>
      {rows.map((row) => (
        <li className="item" key={row.id}>
          <span className="number">{row.databaseId}</span>
          <div>
            <Link to="/work_packages/$id" params={{ id: String(row.databaseId) }}>
              <bdi>{row.subject}</bdi>
            </Link>
            <p className="meta">
              {withProject && <span>{row.project.name}</span>}
              <span>{row.type.name}</span>
              <StatusSign status={row.status} />
              {row.assignee && (
                <span>{say('container.assignedTo', { name: row.assignee.name })}</span>
              )}
            </p>
          </div>
          <Time of={row.updatedAt} />
        </li>
      ))}
    </ul>
  );
}

/** Files of storages, each with the work package that links to it. */
import { Link } from '@tanstack/react-router';
import { iconOf, kindOf } from '../files/kinds';
import type { FoundLinkFragment } from '../generated/documents';
import { Icon } from '../shell/icon';
import { Name } from '../shell/name';
import { Time } from '../shell/time';

export function LinkList({ links }: { links: FoundLinkFragment[] }) {
  return (
    <ul>
      {links.map(({ id, createdAt, originData: { name, mimeType }, container, storage }) => {
        const kind = kindOf({ name, type: mimeType });
        return (
          <li className="item recent" key={id}>
            <span className={`kind kind-${kind}`}>
              <Icon name={iconOf(kind)} />
            </span>
            <div>
              {container ? (
                <Link to="/work_packages/$id" params={{ id: String(container.databaseId) }}>
                  <Name>{name}</Name>
                </Link>
              ) : (
                <Name>{name}</Name>
              )}
              <p className="meta">
                {container && <span>{container.subject}</span>}
                <span>{storage.name}</span>
              </p>
            </div>
            <Time of={createdAt} />
          </li>
        );
      })}
    </ul>
  );
}

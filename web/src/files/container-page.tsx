/** The files of a work package, meeting, forum post or wiki page. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Document } from 'moorage-client';
import {
  MeetingPageDocument,
  PostPageDocument,
  WikiPagePageDocument,
  WorkPackagePageDocument,
  type MeetingPageQuery,
  type PostPageQuery,
  type WikiPagePageQuery,
  type WorkPackagePageQuery,
} from '../generated/documents';
import { LinkedFiles } from '../links/linked-files';
import { moorage } from '../service';
import { Failure, Loading, Missing } from '../shell/failure';
import { Crumbs } from '../shell/crumbs';
import { Icon } from '../shell/icon';
import { useMe } from '../shell/me';
import { Heading } from '../shell/page';
import { StatusSign } from '../shell/status';
import { Time } from '../shell/time';
import { Layout } from '../work-package/layout';
import { say } from '../words';
import { Attachments } from './attachments';
import { ChooseFiles } from './choose-files';
import { useAdding } from './use-adding';

const documents = {
  WorkPackage: WorkPackagePageDocument,
  Meeting: MeetingPageDocument,
  Post: PostPageDocument,
  WikiPage: WikiPagePageDocument,
};
export type ContainerType = keyof typeof documents;

const sections = {
  WorkPackage: { to: '/projects/$identifier/work_packages', label: 'project.workPackages' },
  Meeting: { to: '/projects/$identifier/meetings', label: 'project.meetings' },
  Post: { to: '/projects/$identifier/posts', label: 'project.posts' },
  WikiPage: { to: '/projects/$identifier/wiki_pages', label: 'project.wikiPages' },
} as const;

type Answer = WorkPackagePageQuery | MeetingPageQuery | PostPageQuery | WikiPagePageQuery;
type Container = NonNullable<Answer['container']>;

async function load(type: ContainerType, id: string, signal: AbortSignal) {
  const document: Document<Answer, { id: string }> = documents[type];
  return (await moorage.query(document, { id }, { signal })).container;
}

export function ContainerPage({ type, id }: { type: ContainerType; id: string }) {
  const query = useQuery({
    queryKey: ['container', type, id],
    queryFn: ({ signal }) => load(type, id, signal),
  });
  if (query.isPending) return <Loading />;
  if (query.isError)
    return <Failure whole error={query.error} again={() => void query.refetch()} />;
  if (!query.data) return <Missing />;
  return <Files container={query.data} />;
}

function Files({ container }: { container: Container }) {
  const adding = useAdding(container);
  const administrator = useMe().data?.viewer.admin ?? false;
  const workPackage = container.__typename === 'WorkPackage' ? container : undefined;
  const section = sections[container.__typename];
  const { title } = container;
  const { identifier } = container.project;
  const attachments = (
    <Attachments
      containerId={container.id}
      hasComments={workPackage !== undefined}
      adding={adding}
      administrator={administrator}
    />
  );

  return (
    <>
      <Heading
        title={title}
        above={
          <Crumbs project={container.project}>
            <li>
              <Link to={section.to} params={{ identifier }}>
                {say(section.label)}
              </Link>
            </li>
          </Crumbs>
        }
        facts={
          <>
            <span className="chip">
              {workPackage?.type.name ?? say(`kind.${container.__typename}`)} {container.databaseId}
            </span>
            {workPackage && (
              <span className="chip">
                <StatusSign status={workPackage.status} />
              </span>
            )}
            {!workPackage && (
              <span>
                {say('container.openedBy', { name: container.author.name })}{' '}
                <Time of={container.createdAt} />
              </span>
            )}
          </>
        }
        actions={
          <>
            {workPackage?.viewerCanManageFileLinks && (
              <a className="button" href="#links">
                <Icon name="link" />
                {say('links.add')}
              </a>
            )}
            {adding.may && (
              <ChooseFiles className="button main" onFiles={adding.add}>
                <Icon name="plus" />
                {say('files.add')}
              </ChooseFiles>
            )}
          </>
        }
      />
      <div className="wrap">
        {workPackage ? (
          <Layout
            workPackage={workPackage}
            files={
              <>
                {attachments}
                {workPackage.viewerCanViewFileLinks && (
                  <LinkedFiles
                    workPackageId={workPackage.id}
                    mayManage={workPackage.viewerCanManageFileLinks}
                  />
                )}
              </>
            }
          />
        ) : (
          attachments
        )}
      </div>
      {adding.over !== undefined && (
        <div className="drop-over" aria-hidden="true">
          <Icon name="drop" />
          <strong>{say('files.dropNow', { count: adding.over })}</strong>
          <span>{say('files.dropTarget', { title })}</span>
        </div>
      )}
      {adding.question}
    </>
  );
}

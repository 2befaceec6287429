/** Containers as HAL documents. */
import { containerKinds } from '../../contract/container-kinds.js';
import type { ContainerHalFragment, ContainerNameFragment } from '../generated/documents.js';
import { activityMembers, workPackageMembers } from '../generated/members.js';
import { paths } from './paths.js';
import type { Link } from './respond.js';

/** Work packages and activities have more members than the plain kinds. */
export function representContainer(container: ContainerHalFragment) {
  switch (container._type) {
    case 'WorkPackage':
      return representWorkPackage(container);
    case 'Activity':
      return representActivity(container);
    default:
      return {
        _type: container._type,
        id: container.id,
        [containerKinds[container._type].nameColumn]: container.title,
        _links: linksOf(container),
      };
  }
}

type Of<Type extends ContainerHalFragment['_type']> = Extract<
  ContainerHalFragment,
  { _type: Type }
>;
type Links = { [name: string]: Link };

/** Work packages are not below each other here. */
const NO_ANCESTORS: Link[] = [];

/** A comment has no title. */
export function linkToContainer(container: ContainerNameFragment): Link {
  const href = paths.container(container._type, container.id);
  return container._type === 'Activity' ? { href } : { href, title: container.title };
}

function linksOf(container: ContainerHalFragment): Links {
  const { _type, id, project, viewerCanAddAttachment, viewerCanPrepareAttachment } = container;
  const attachments = paths.containerAttachments(_type, id);
  return {
    self: linkToContainer(container),
    attachments: { href: attachments },
    ...(viewerCanAddAttachment && { addAttachment: { href: attachments, method: 'post' } }),
    ...(viewerCanPrepareAttachment && {
      prepareAttachment: { href: paths.prepareContainerAttachment(_type, id), method: 'post' },
    }),
    project: { href: paths.project(project.id), title: project.name },
  };
}

function representWorkPackage(workPackage: Of<'WorkPackage'>) {
  const {
    _type,
    id,
    author,
    type,
    status,
    assignee,
    responsible,
    viewerCanUpdate,
    viewerCanComment,
    viewerCanViewFileLinks,
    viewerCanManageFileLinks,
  } = workPackage;
  const fileLinks = paths.workPackageFileLinks(id);
  const self = paths.container(_type, id);
  const activities = paths.workPackageActivities(id);
  return {
    ...workPackageMembers(workPackage),
    _links: {
      ...linksOf(workPackage),
      type: { href: paths.type(type.id), title: type.name },
      status: { href: paths.status(status.id), title: status.name },
      author: { href: paths.user(author.id), title: author.name },
      assignee: linkToPerson(assignee),
      responsible: linkToPerson(responsible),
      ancestors: NO_ANCESTORS,
      activities: { href: activities },
      ...(viewerCanComment && { addComment: { href: activities, method: 'post' } }),
      ...(viewerCanViewFileLinks && { fileLinks: { href: fileLinks } }),
      ...(viewerCanManageFileLinks && { addFileLink: { href: fileLinks, method: 'post' } }),
      ...(viewerCanUpdate && { updateImmediately: { href: self, method: 'patch' } }),
    },
  };
}

/** A person, or a link without a target for nobody. */
export const linkToPerson = (person: { id: number; name: string } | null) =>
  person ? { href: paths.user(person.id), title: person.name } : { href: null };

function representActivity(activity: Of<'Activity'>) {
  const { id, kind, author, viewerCanUpdate, workPackage } = activity;
  const { project, ...links } = linksOf(activity);
  return {
    ...activityMembers(activity),
    _type: kind === 'COMMENT' ? 'Activity::Comment' : 'Activity',
    _links: {
      ...links,
      workPackage: {
        href: paths.container('WorkPackage', workPackage.id),
        title: workPackage.subject,
      },
      user: { href: paths.user(author.id), title: author.name },
      ...(viewerCanUpdate && {
        update: { href: paths.container('Activity', id), method: 'patch' },
      }),
      project,
    },
  };
}

/** Containers are created, changed and deleted, and they claim attachments and file links. */
import type { Caller, Outcome } from '../caller.js';
import {
  attachmentsOf,
  pick,
  present,
  removeAttachment,
  removeContainer,
  type Attachment,
  type Container,
  type Model,
  type Person,
} from '../model.js';
import { mayCreate, mayEdit, mayName, refusalOf, sees, seesProject } from '../rules.js';
import { fields, graph, hal, type ShownContainer } from '../normalized-answers.js';
import type { Attempt, Operation } from '../step.js';
import { containerView, pathOf } from '../views.js';
import { containerId, containerName, mostly, some, typeOf } from './draw.js';
import { claimLinks, linkSet, refusalOfLinks } from './link-sets.js';
import { kinds, segments, type Kind } from '../../../support/factories.js';

/** Mutations call an activity a comment. */
const nounOf = (kind: Kind): string => (kind === 'Activity' ? 'Comment' : kind);
const titleOf = (kind: Kind): 'subject' | 'title' =>
  kind === 'WorkPackage' || kind === 'Post' ? 'subject' : 'title';

/** REST can create and change only work packages and comments. */
const overRest = (kind: Kind): boolean => kind === 'WorkPackage' || kind === 'Activity';

const hrefs = (segment: string, ids: readonly number[] | undefined) =>
  ids?.map((id) => ({ href: `/api/v3/${segment}/${id}` }));
const shown = (container: ShownContainer): Outcome => ({ shown: container, made: [container.id] });

interface Sets {
  attachments: Attachment[] | undefined;
  fileLinks: Model['fileLinks'] | undefined;
}

/** Members of a request with the sets, in the form of REST and of GraphQL. */
const linksOf = ({ attachments, fileLinks }: Sets) => ({
  _links: {
    ...(attachments && {
      attachments: hrefs(
        'attachments',
        attachments.map(({ id }) => id),
      ),
    }),
    ...(fileLinks && {
      fileLinks: hrefs(
        'file_links',
        fileLinks.map(({ id }) => id),
      ),
    }),
  },
});
const idsOf = ({ attachments, fileLinks }: Sets) => ({
  ...(attachments && { attachmentIds: attachments.map(({ id }) => String(id)) }),
  ...(fileLinks && { fileLinkIds: fileLinks.map(({ id }) => String(id)) }),
});

const named = ({ attachments, fileLinks }: Sets): string =>
  `${attachments ? `, naming the attachments ${attachments.map(({ id }) => id).join(', ') || 'none'}` : ''}${fileLinks ? `, naming the file links ${fileLinks.map(({ id }) => id).join(', ') || 'none'}` : ''}`;

/** The first of these choices names no attachments, but may name file links. */
const WAYS = 10;
const SETTLED = 5;

/** None, one or two, with or without the present set. An unfinished upload does not belong to the set. */
function attachmentSet(
  model: Model,
  person: Person,
  container: Container | undefined,
  number: number,
): Attachment[] | undefined {
  const others = mostly(
    model.attachments.filter((one) => container === undefined || one.container !== container),
    number,
    (one) => mayName(person, one),
  );
  const own = container ? attachmentsOf(model, container) : [];
  const [one, other] = [some(others, number), some(others, number + 7)];
  const sets = [[...own, one], [one], [one, other], own.slice(1), [one, one]];
  return sets[(number % WAYS) - SETTLED];
}

function claim(
  model: Model,
  container: Container,
  attachments: readonly Attachment[],
  replacedBy?: Person,
): void {
  if (replacedBy)
    for (const own of attachmentsOf(model, container))
      if (!attachments.includes(own)) removeAttachment(own, replacedBy);
  for (const one of attachments) one.container = container;
}

const mayNameAll = (
  person: Person,
  attachments: readonly Attachment[] | undefined,
  container?: Container,
): boolean => attachments?.every((one) => mayName(person, one, container)) ?? true;

let titles = 0;
const newTitle = () => `Title ${(titles += 1)}`;

/** Files that the text of a comment links to are claimed if allowed. Others cause no error. */
const mentioned = (model: Model, person: Person, number: number): Attachment | undefined => {
  const one = some(model.attachments, number);
  return number % 3 === 0 && one.container === undefined && mayName(person, one) ? one : undefined;
};
const textOf = (model: Model, number: number): string =>
  number % 3 === 0
    ? `See [it](/api/v3/attachments/${some(model.attachments, number).id}/content).`
    : 'A comment';

export const create: Operation = (model, person, draws) => {
  const kind = pick(['WorkPackage' as const, ...kinds], draws.a);
  return kind === 'Activity'
    ? comment(model, person, draws)
    : createInProject(kind, model, person, draws);
};

function createInProject(
  kind: Kind,
  model: Model,
  person: Person,
  { b, c, d }: Parameters<Operation>[2],
): Attempt {
  const project = pick(model.projects, b);
  const sets = {
    attachments: attachmentSet(model, person, undefined, c),
    fileLinks:
      kind === 'WorkPackage' && c % WAYS < SETTLED
        ? linkSet(model, person, undefined, d)
        : undefined,
  };
  const title = newTitle();
  const name = titleOf(kind);
  const seen = refusalOf(
    seesProject(person, project),
    mayCreate(person, kind, project),
    mayNameAll(person, sets.attachments),
  );
  let container: Container;
  return {
    says: `makes a ${kind} in the ${project.name}${named(sets)}`,
    refusal: seen ?? refusalOfLinks(model, person, { project }, sets.fileLinks),
    ...(overRest(kind) && {
      rest: (caller: Caller) =>
        caller.rest(
          'POST',
          `/api/v3/projects/${project.id}/work_packages`,
          (body) => shown(hal.container(body)),
          { subject: title, ...linksOf(sets) },
        ),
    }),
    graphql: (caller) =>
      caller.graphql(
        `mutation ($input: Create${kind}Input!) { done: create${kind}(input: $input) { it: ${typeOf(kind)} { ${fields.container} } } }`,
        { input: { projectId: String(project.id), [name]: title, ...idsOf(sets) } },
        ({ done }) => shown(graph.container(done.it)),
      ),
    change([id]) {
      container = {
        id: id!,
        kind,
        project,
        author: person,
        title,
        internal: false,
        workPackage: undefined,
        lockVersion: 0,
        gone: false,
      };
      model.containers.push(container);
      claim(model, container, sets.attachments ?? []);
      if (sets.fileLinks) claimLinks(model, container, sets.fileLinks);
    },
    shows: (api) => containerView(model, person, container, api),
  };
}

function comment(model: Model, person: Person, { b, c, d }: Parameters<Operation>[2]): Attempt {
  const workPackage = some(
    model.containers.filter(({ kind }) => kind === 'WorkPackage'),
    b,
  );
  const internal = d % 4 === 0;
  const attachments = attachmentSet(model, person, undefined, c);
  const text = textOf(model, d);
  const found = mentioned(model, person, d);
  let container: Container;
  return {
    says: `writes ${internal ? 'an internal' : 'a'} comment "${text}" on ${containerName(workPackage)}${named({ attachments, fileLinks: undefined })}`,
    refusal: refusalOf(
      sees(person, workPackage),
      mayCreate(person, 'Activity', workPackage.project, internal),
      mayNameAll(person, attachments),
    ),
    rest: (caller) =>
      caller.rest(
        'POST',
        `${pathOf(workPackage)}/activities`,
        (body) => shown(hal.container(body)),
        { comment: { raw: text }, internal, ...linksOf({ attachments, fileLinks: undefined }) },
      ),
    graphql: (caller) =>
      caller.graphql(
        `mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { ${fields.container} } } }`,
        {
          input: {
            workPackageId: String(workPackage.id),
            comment: text,
            internal,
            ...idsOf({ attachments, fileLinks: undefined }),
          },
        },
        (data) => shown(graph.container(data.createComment.comment)),
      ),
    change([id]) {
      container = {
        id: id!,
        kind: 'Activity',
        project: workPackage.project,
        author: person,
        title: null,
        internal,
        workPackage,
        lockVersion: 0,
        gone: false,
      };
      model.containers.push(container);
      claim(model, container, [...(attachments ?? []), ...(found ? [found] : [])]);
    },
    shows: (api) => containerView(model, person, container, api),
  };
}

export const update: Operation = (model, person, { a, b, c, d }) => {
  const container = some(model.containers, a);
  const { kind, lockVersion } = container;
  const isWorkPackage = kind === 'WorkPackage';
  const sets = {
    attachments: attachmentSet(model, person, container, b),
    fileLinks:
      isWorkPackage && b % WAYS < SETTLED ? linkSet(model, person, container, c) : undefined,
  };
  const rename = d % 2 === 0 && kind !== 'Activity' ? newTitle() : undefined;
  // The version is outdated, and nothing else is wrong.
  const stale = isWorkPackage && d % 3 === 1 && !sets.attachments && !sets.fileLinks;
  const version = stale
    ? { lockVersion: lockVersion - 1 }
    : isWorkPackage && d % 6 === 2
      ? { lockVersion }
      : {};
  const changes = {
    ...(rename !== undefined && { [titleOf(kind)]: rename }),
    ...(kind === 'Activity' && !sets.attachments && { comment: 'Changed' }),
    ...version,
  };
  const inRest = {
    ...changes,
    ...('comment' in changes && { comment: { raw: changes.comment } }),
    ...linksOf(sets),
  };
  const refused =
    refusalOf(
      sees(person, container),
      mayEdit(person, container),
      mayNameAll(person, sets.attachments, container),
    ) ?? refusalOfLinks(model, person, container, sets.fileLinks);
  return {
    says: `changes ${containerName(container)}${rename ? ' and its name' : ''}${stale ? ' of a version that is over' : ''}${named(sets)}`,
    refusal: refused ?? (stale ? 'UpdateConflict' : undefined),
    ...(overRest(kind) && {
      rest: (caller: Caller) =>
        caller.rest('PATCH', pathOf(container), (body) => ({ shown: hal.container(body) }), inRest),
    }),
    graphql: (caller) =>
      caller.graphql(
        `mutation ($input: Update${nounOf(kind)}Input!) { done: update${nounOf(kind)}(input: $input) { it: ${kind === 'Activity' ? 'comment' : typeOf(kind)} { ${fields.container} } } }`,
        { input: { id: containerId(container), ...changes, ...idsOf(sets) } },
        ({ done }) => ({ shown: graph.container(done.it) }),
      ),
    change() {
      // Each update is an edit. An upload is none.
      if (isWorkPackage) container.lockVersion += 1;
      if (rename !== undefined) container.title = rename;
      if (sets.attachments) claim(model, container, sets.attachments, person);
      if (sets.fileLinks) claimLinks(model, container, sets.fileLinks);
    },
    shows: (api) => containerView(model, person, container, api),
  };
};

export const remove: Operation = (model, person, { a }) => {
  const container = some(model.containers, a);
  const noun = nounOf(container.kind);
  return {
    says: `deletes ${containerName(container)}`,
    refusal: refusalOf(sees(person, container), mayEdit(person, container)),
    graphql: (caller) =>
      caller.graphql(
        `mutation ($id: ID!) { delete${noun}(input: { id: $id }) { deleted${container.kind}Id } }`,
        { id: containerId(container) },
        () => ({}),
      ),
    change: () => removeContainer(model, container),
  };
};

export const view: Operation = (model, person, { a }) => {
  const container = some(model.containers, a);
  const type = typeOf(container.kind);
  return {
    says: `looks at ${containerName(container)}`,
    refusal: refusalOf(sees(person, container), true),
    rest: (caller) =>
      caller.rest('GET', pathOf(container), (body) => ({ shown: hal.container(body) })),
    graphql: (caller) =>
      caller.graphql(
        `query ($id: ID!) { ${type}(id: $id) { ${fields.container} } }`,
        { id: containerId(container) },
        (data) => ({ shown: graph.container(data[type]) }),
      ),
    shows: (api) => containerView(model, person, container, api),
  };
};

/** The oldest first, without hidden ones. Activities about changes are not compared. */
export const history: Operation = (model, person, { a }) => {
  const workPackage = some(
    model.containers.filter(({ kind }) => kind === 'WorkPackage'),
    a,
  );
  return {
    says: `reads the comments on ${containerName(workPackage)}`,
    refusal: refusalOf(sees(person, workPackage), true),
    rest: (caller) =>
      caller.rest(
        'GET',
        `/api/v3/${segments.WorkPackage}/${workPackage.id}/activities`,
        ({ _embedded: { elements } }) => ({
          shown: elements
            .filter(({ _type }: { _type: string }) => _type === 'Activity::Comment')
            .map(hal.container),
        }),
      ),
    graphql: (caller) =>
      caller.graphql(
        `query ($id: ID!) { workPackage(id: $id) { activities(first: 200) { nodes { kind ${fields.container} } } } }`,
        { id: containerId(workPackage) },
        (data) => ({
          shown: data.workPackage.activities.nodes
            .filter(({ kind }: { kind: string }) => kind === 'COMMENT')
            .map(graph.container),
        }),
      ),
    shows: (api) =>
      present(model.containers)
        .filter((one) => one.workPackage === workPackage && sees(person, one))
        .sort((one, other) => one.id - other.id)
        .map((one) => containerView(model, person, one, api)),
  };
};

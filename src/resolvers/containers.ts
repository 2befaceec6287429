/** Generates the queries and mutations of the kinds of containers that have a name. */
import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { createContainer } from '../actions/containers/changes/create-container.js';
import { deleteContainer } from '../actions/containers/changes/delete-container.js';
import type { Details as WorkPackageDetails } from '../actions/containers/changes/validate-details.js';
import { updateContainer } from '../actions/containers/changes/update-container.js';
import type { Context } from '../context.js';
import {
  containerKinds,
  namedContainers,
  type NamedContainer,
} from '../contract/container-kinds.js';
import { globalId, idOf } from '../contract/ids.js';
import { MAX_WORK_PACKAGE_DESCRIPTION } from '../contract/limits.js';
import { withArticle, withCommas } from '../contract/words.js';
import type { ContainerRecord } from '../models/container.js';
import { containerModels } from '../models/containers.js';
import { Project } from '../models/project.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { claimed, completeSet, notify } from './container-members.js';
import { found } from './found.js';
import { idsOf } from './id-lists.js';
import { idOfOne, mutation, optional, readIfSelected, type ValuesOf } from './mutation.js';

/** The members about the details of a work package. */
const detailMembers = {
  description: optional(
    String,
    `Markdown, at most ${withCommas(MAX_WORK_PACKAGE_DESCRIPTION)} characters. ` +
      'Null or an empty text removes it.',
  ),
  statusId: optional(
    ID,
    'Global id or integer id of the status. A new work package has the default one.',
  ),
  typeId: optional(
    ID,
    'Global id or integer id of a type of the project. A new work package has the default one.',
  ),
  assigneeId: optional(ID, 'Global id or integer id of a member of the project; null for nobody.'),
  responsibleId: optional(
    ID,
    'Global id or integer id of a member of the project; null for nobody.',
  ),
  notify,
};

const PERMISSION = ' It needs the permission to manage file links.';

/** The members that only work packages have. */
const createMembers = {
  ...detailMembers,
  fileLinkIds: claimed('work package', 'file links', PERMISSION),
};
const updateMembers = {
  ...detailMembers,
  fileLinkIds: completeSet('work package', 'file links', {
    lost: 'removed',
    permission: ' Each change needs the permission to manage file links.',
  }),
  lockVersion: optional(
    Int,
    'The `lockVersion` that the client has read. ' +
      'Error: UPDATE_CONFLICT if the work package has another one by now.',
  ),
};

/** The members that are in both inputs of some kind. */
interface Content extends ValuesOf<typeof createMembers> {
  subject?: string | null;
  title?: string | null;
  attachmentIds?: string[] | null;
}

function detailsOf({
  description,
  statusId,
  typeId,
  assigneeId,
  responsibleId,
}: Content): WorkPackageDetails {
  const named = (type: string, id: string | null | undefined) =>
    id === undefined || id === null ? id : { id: idOf(type, id) };
  return {
    description,
    status: named('Status', statusId),
    type: named('Type', typeId),
    assignee: named('User', assigneeId),
    responsible: named('User', responsibleId),
  };
}

function containerFields(type: NamedContainer) {
  const { nameColumn: name, field, noun: words, plural } = containerKinds[type];
  const any = withArticle(words);
  const model = containerModels[type];
  const isWorkPackage = type === 'WorkPackage';
  const contentOf = (input: Content) => ({
    name: input[name],
    ...(isWorkPackage && { details: detailsOf(input) }),
    notifies: input.notify ?? true,
    attachments: idsOf('Attachment', input.attachmentIds),
    fileLinks: idsOf('FileLink', input.fileLinkIds),
  });

  @Resolver()
  class ContainerFields {
    @Query(() => model, {
      name: field,
      nullable: true,
      description: `Returns one ${words}. Null with the error NOT_FOUND if it is missing or not visible.`,
    })
    async one(
      @Arg('id', () => ID, { description: `Global id or integer id of the ${words}.` }) id: string,
      @Ctx() context: Context,
    ): Promise<ContainerRecord> {
      return found(find.container(context, type, idOf(type, id)));
    }
  }

  const mutations = [
    mutation(`create${type}`, {
      forApplications: true,
      description:
        `Creates ${any} in a project. ` +
        'Errors: NOT_FOUND if the project is missing or not visible; MISSING_PERMISSION; ' +
        'PROPERTY_CONSTRAINT_VIOLATION for invalid input.',
      argument: `The ${words}.`,
      about: `A new ${words}.`,
      input: {
        projectId: idOfOne('project'),
        [name]: optional(String, `Required. The ${name} of the ${words}, 1 to 255 characters.`),
        attachmentIds: claimed(words),
        ...(isWorkPackage && createMembers),
      },
      payload: { [field]: [model, `The new ${words}.`] },
      run: async (input: Content & { projectId: string }, context) => ({
        [field]: await createContainer(context, type, {
          projectId: idOf('Project', input.projectId),
          ...contentOf(input),
        }),
      }),
    }),

    mutation(`update${type}`, {
      forApplications: true,
      description:
        `Changes ${any}. ` +
        'Errors: NOT_FOUND if it is missing or not visible; MISSING_PERMISSION; ' +
        `PROPERTY_CONSTRAINT_VIOLATION for invalid input${
          isWorkPackage ? '; UPDATE_CONFLICT (see `lockVersion`)' : ''
        }.`,
      argument: 'The changes.',
      about: `Changes of ${any}. Omitted members stay unchanged.`,
      input: {
        id: idOfOne(words),
        [name]: optional(String, `The new ${name}, 1 to 255 characters.`),
        attachmentIds: completeSet(words),
        ...(isWorkPackage && updateMembers),
      },
      payload: { [field]: [model, `The changed ${words}.`] },
      run: async (input: Content & { id: string; lockVersion?: number | null }, context) => ({
        [field]: await updateContainer(context, type, idOf(type, input.id), {
          lockVersion: input.lockVersion ?? undefined,
          ...contentOf(input),
        }),
      }),
    }),

    mutation(`delete${type}`, {
      forApplications: true,
      description:
        `Deletes ${any} with its attachments${isWorkPackage ? ', comments and file links' : ''}. ` +
        'Errors: NOT_FOUND if it is missing or not visible; MISSING_PERMISSION.',
      argument: `The ${words}.`,
      about: `The ${words} to delete.`,
      input: { id: idOfOne(words) },
      payload: {
        [`deleted${type}Id`]: [ID, `Global id of the deleted ${words}.`],
        project: readIfSelected(Project, 'The project, after the deletion.'),
      },
      run: async ({ id }, context) => {
        const deleted = await deleteContainer(context, type, idOf(type, id));
        return {
          [`deleted${type}Id`]: globalId(type, deleted.id),
          project: () => find.project(context, deleted.projectId),
        };
      },
    }),
  ];

  @Resolver(() => Project)
  class ProjectFields {
    @FieldResolver(() => Boolean, {
      name: `viewerCanCreate${type}`,
      description: `Whether the caller may create ${plural} in the project.`,
    })
    mayCreate(@Root() { id }: Project, @Ctx() context: Context): boolean | Promise<boolean> {
      return can.create(context, type, id);
    }
  }
  return [ContainerFields, ProjectFields, ...mutations.flat()];
}

export const containerResolvers = namedContainers.flatMap(containerFields);

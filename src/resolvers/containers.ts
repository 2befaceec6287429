/** Generates the queries and mutations of the kinds of containers that have a name. */
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
  type ClassType,
} from 'type-graphql';
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
import { ForApplications } from './for-applications.js';
import { found } from './found.js';
import { idsOf } from './id-lists.js';
import { NOTIFY } from './schema-phrases.js';

/** The input members that differ between the kinds. */
interface Details {
  subject?: string | null;
  title?: string | null;
  fileLinkIds?: string[] | null;
  lockVersion?: number | null;
  description?: string | null;
  statusId?: string | null;
  typeId?: string | null;
  assigneeId?: string | null;
  responsibleId?: string | null;
  notify?: boolean | null;
}

/** The members of inputs about the details of a work package, with their descriptions. */
const detailMembers = {
  description:
    `Markdown, at most ${withCommas(MAX_WORK_PACKAGE_DESCRIPTION)} characters. ` +
    'Null or an empty text removes it.',
  statusId: 'Global id or integer id of the status. A new work package has the default one.',
  typeId:
    'Global id or integer id of a type of the project. A new work package has the default one.',
  assigneeId: 'Global id or integer id of a member of the project; null for nobody.',
  responsibleId: 'Global id or integer id of a member of the project; null for nobody.',
} as const;

function detailsOf({
  description,
  statusId,
  typeId,
  assigneeId,
  responsibleId,
}: Details): WorkPackageDetails {
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
  // Objection's type of a model class has no constructor type that TypeGraphQL accepts.
  const model = containerModels[type] as unknown as ClassType<object>;

  @InputType(`Create${type}Input`, { description: `A new ${words}.` })
  class CreateInput {
    @Field(() => ID, { description: 'Global id or integer id of the project.' })
    projectId!: string;

    @Field(() => [ID], {
      nullable: true,
      description:
        'Global ids or integer ids of unclaimed attachments of the caller. ' +
        `The ${words} claims them.`,
    })
    attachmentIds?: string[] | null;
  }

  @InputType(`Update${type}Input`, {
    description: `Changes of ${any}. Omitted members stay unchanged.`,
  })
  class UpdateInput {
    @Field(() => ID, { description: `Global id or integer id of the ${words}.` })
    id!: string;

    @Field(() => [ID], {
      nullable: true,
      description:
        'Global ids or integer ids: the complete new set of attachments. ' +
        `Attachments of the ${words} that are not in the list are deleted. ` +
        'Unclaimed attachments in the list are claimed.',
    })
    attachmentIds?: string[] | null;
  }
  // The name of this property differs between kinds, so the decorator is called as a function.
  Field(() => String, {
    nullable: true,
    description: `Required. The ${name} of the ${words}, 1 to 255 characters.`,
  })(CreateInput.prototype, name);
  Field(() => String, {
    nullable: true,
    description: `The new ${name}, 1 to 255 characters.`,
  })(UpdateInput.prototype, name);
  if (type === 'WorkPackage') {
    Field(() => [ID], {
      nullable: true,
      description:
        'Global ids or integer ids of unclaimed file links of the caller. ' +
        'The work package claims them. It needs the permission to manage file links.',
    })(CreateInput.prototype, 'fileLinkIds');
    Field(() => [ID], {
      nullable: true,
      description:
        'Global ids or integer ids: the complete new set of file links. ' +
        'File links of the work package that are not in the list are removed. ' +
        'Unclaimed file links in the list are claimed. ' +
        'Each change needs the permission to manage file links.',
    })(UpdateInput.prototype, 'fileLinkIds');
    for (const input of [CreateInput, UpdateInput])
      Field(() => Boolean, { nullable: true, description: NOTIFY })(input.prototype, 'notify');
    for (const [member, description] of Object.entries(detailMembers)) {
      const typeOf = () => (member === 'description' ? String : ID);
      Field(typeOf, { nullable: true, description })(CreateInput.prototype, member);
      Field(typeOf, { nullable: true, description })(UpdateInput.prototype, member);
    }
    Field(() => Int, {
      nullable: true,
      description:
        'The `lockVersion` that the client has read. ' +
        'Error: UPDATE_CONFLICT if the work package has another one by now.',
    })(UpdateInput.prototype, 'lockVersion');
  }

  @InputType(`Delete${type}Input`, { description: `The ${words} to delete.` })
  class DeleteInput {
    @Field(() => ID, { description: `Global id or integer id of the ${words}.` })
    id!: string;
  }

  @ObjectType(`Create${type}Payload`, {
    description: `The result of \`create${type}\`.`,
    simpleResolvers: true,
  })
  class CreatePayload {
    @Field(() => model, { name: field, description: `The new ${words}.` })
    container!: object;
  }

  @ObjectType(`Update${type}Payload`, {
    description: `The result of \`update${type}\`.`,
    simpleResolvers: true,
  })
  class UpdatePayload {
    @Field(() => model, { name: field, description: `The changed ${words}.` })
    container!: object;
  }

  @ObjectType(`Delete${type}Payload`, {
    description: `The result of \`delete${type}\`.`,
    simpleResolvers: true,
  })
  class DeletePayload {
    @Field(() => ID, {
      name: `deleted${type}Id`,
      description: `Global id of the deleted ${words}.`,
    })
    deletedId!: string;
  }

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

    @ForApplications()
    @Mutation(() => CreatePayload, {
      name: `create${type}`,
      description:
        `Creates ${any} in a project. ` +
        'Errors: NOT_FOUND if the project is missing or not visible; MISSING_PERMISSION; ' +
        'PROPERTY_CONSTRAINT_VIOLATION for invalid input.',
    })
    async create(
      @Arg('input', () => CreateInput, { description: `The ${words}.` })
      input: CreateInput & Details,
      @Ctx() context: Context,
    ) {
      const container = await createContainer(context, type, {
        projectId: idOf('Project', input.projectId),
        name: input[name],
        ...(type === 'WorkPackage' && { details: detailsOf(input) }),
        notifies: input.notify ?? true,
        attachments: idsOf('Attachment', input.attachmentIds),
        fileLinks: idsOf('FileLink', input.fileLinkIds),
      });
      return { [field]: container };
    }

    @ForApplications()
    @Mutation(() => UpdatePayload, {
      name: `update${type}`,
      description:
        `Changes ${any}. ` +
        'Errors: NOT_FOUND if it is missing or not visible; MISSING_PERMISSION; ' +
        `PROPERTY_CONSTRAINT_VIOLATION for invalid input${
          type === 'WorkPackage' ? '; UPDATE_CONFLICT (see `lockVersion`)' : ''
        }.`,
    })
    async update(
      @Arg('input', () => UpdateInput, { description: 'The changes.' })
      input: UpdateInput & Details,
      @Ctx() context: Context,
    ) {
      const container = await updateContainer(context, type, idOf(type, input.id), {
        name: input[name],
        lockVersion: input.lockVersion ?? undefined,
        ...(type === 'WorkPackage' && { details: detailsOf(input) }),
        notifies: input.notify ?? true,
        attachments: idsOf('Attachment', input.attachmentIds),
        fileLinks: idsOf('FileLink', input.fileLinkIds),
      });
      return { [field]: container };
    }

    @ForApplications()
    @Mutation(() => DeletePayload, {
      name: `delete${type}`,
      description:
        `Deletes ${any} with its attachments${
          type === 'WorkPackage' ? ', comments and file links' : ''
        }. ` + 'Errors: NOT_FOUND if it is missing or not visible; MISSING_PERMISSION.',
    })
    async delete(
      @Arg('input', () => DeleteInput, { description: `The ${words}.` }) { id }: DeleteInput,
      @Ctx() context: Context,
    ) {
      const deleted = await deleteContainer(context, type, idOf(type, id));
      return { [`deleted${type}Id`]: globalId(type, deleted.id) };
    }
  }

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
  return [ContainerFields, ProjectFields];
}

export const containerResolvers = namedContainers.flatMap(containerFields);

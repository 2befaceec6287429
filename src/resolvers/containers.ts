/** Reading and administering containers that have a name: the same four fields for each kind. */
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
import { createContainer } from '../actions/containers/create-container.js';
import { deleteContainer } from '../actions/containers/delete-container.js';
import { updateContainer } from '../actions/containers/update-container.js';
import type { Context } from '../context.js';
import { NotFound } from '../contract/errors.js';
import {
  containerKinds,
  namedContainers,
  type NamedContainer,
} from '../contract/container-kinds.js';
import { globalId, idOf } from '../contract/ids.js';
import { capitalised, one } from '../contract/words.js';
import type { ContainerRecord } from '../models/container.js';
import { containerModels } from '../models/containers.js';
import { Project } from '../models/project.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { attachmentIdsOf } from './comment.js';

interface Linking {
  fileLinkIds?: string[] | null;
}
const fileLinkIdsOf = ({ fileLinkIds }: Linking) => fileLinkIds?.map((id) => idOf('FileLink', id));

type Named = { [name in 'subject' | 'title']?: string | null };

function containerFields(type: NamedContainer) {
  const { nameColumn: name, field, noun: words, plural } = containerKinds[type];
  const any = one(words);
  const model = containerModels[type] as unknown as ClassType<object>;

  @InputType(`Create${type}Input`, { description: `${capitalised(any)} to make.` })
  class CreateInput {
    @Field(() => ID, { description: 'The project, in either form.' })
    projectId!: string;

    @Field(() => [ID], {
      nullable: true,
      description: 'Unclaimed attachments to claim, ids in either form.',
    })
    attachmentIds?: string[] | null;
  }

  @InputType(`Update${type}Input`, {
    description: `Changes of ${any}. Absent members stay as they are.`,
  })
  class UpdateInput {
    @Field(() => ID, { description: 'Its id, in either form.' })
    id!: string;

    @Field(() => [ID], {
      nullable: true,
      description:
        'The complete new set of attachments: missing ones are deleted, new ones claimed. Ids in either form.',
    })
    attachmentIds?: string[] | null;
  }
  // Input fields take their property's name, and that differs by kind.
  Field(() => String, {
    nullable: true,
    description:
      'Its name, 1 to 255 characters. Required: a blank one is a PropertyConstraintViolation.',
  })(CreateInput.prototype, name);
  Field(() => String, { nullable: true, description: 'The new name, 1 to 255 characters.' })(
    UpdateInput.prototype,
    name,
  );
  if (type === 'WorkPackage') {
    Field(() => [ID], {
      nullable: true,
      description: 'Unclaimed file links to claim, ids in either form.',
    })(CreateInput.prototype, 'fileLinkIds');
    Field(() => [ID], {
      nullable: true,
      description:
        'The complete new set of file links: missing ones are removed, new ones claimed. Ids in either form.',
    })(UpdateInput.prototype, 'fileLinkIds');
  }
  if (type === 'WorkPackage')
    Field(() => Int, {
      nullable: true,
      description: 'Refuse the change unless this is still the version.',
    })(UpdateInput.prototype, 'lockVersion');

  @InputType(`Delete${type}Input`, { description: `The ${words} to delete.` })
  class DeleteInput {
    @Field(() => ID, { description: 'Its id, in either form.' })
    id!: string;
  }

  @ObjectType(`Create${type}Payload`, {
    description: `Answer of create${type}.`,
    simpleResolvers: true,
  })
  class CreatePayload {
    @Field(() => model, { name: field, description: `The ${words}.` })
    container!: object;
  }

  @ObjectType(`Update${type}Payload`, {
    description: `Answer of update${type}.`,
    simpleResolvers: true,
  })
  class UpdatePayload {
    @Field(() => model, { name: field, description: `The ${words}.` })
    container!: object;
  }

  @ObjectType(`Delete${type}Payload`, {
    description: `Answer of delete${type}.`,
    simpleResolvers: true,
  })
  class DeletePayload {
    @Field(() => ID, {
      name: `deleted${type}Id`,
      description: `Global id of the ${words} that is gone.`,
    })
    deletedId!: string;
  }

  @Resolver()
  class ContainerFields {
    @Query(() => model, {
      name: field,
      description: `One ${words}. NOT_FOUND where it is missing or not visible.`,
    })
    async one(
      @Arg('id', () => ID, { description: 'Its id, in either form.' }) id: string,
      @Ctx() context: Context,
    ): Promise<ContainerRecord> {
      const container = await find.container(context, type, idOf(type, id));
      if (!container) throw new NotFound();
      return container;
    }

    @Mutation(() => CreatePayload, {
      name: `create${type}`,
      description: `Makes ${any} in a project.`,
    })
    async create(
      @Arg('input', () => CreateInput, { description: `The ${words}.` })
      input: CreateInput & Named & Linking,
      @Ctx() context: Context,
    ) {
      const attachments = attachmentIdsOf(input.attachmentIds);
      return {
        [field]: await createContainer(context, type, {
          projectId: idOf('Project', input.projectId),
          name: input[name],
          attachments,
          fileLinks: fileLinkIdsOf(input),
        }),
      };
    }

    @Mutation(() => UpdatePayload, { name: `update${type}`, description: `Changes ${any}.` })
    async update(
      @Arg('input', () => UpdateInput, { description: 'The changes.' })
      input: UpdateInput & Named & Linking & { lockVersion?: number | null },
      @Ctx() context: Context,
    ) {
      const attachments = attachmentIdsOf(input.attachmentIds);
      return {
        [field]: await updateContainer(context, type, idOf(type, input.id), {
          name: input[name],
          lockVersion: input.lockVersion ?? undefined,
          attachments,
          fileLinks: fileLinkIdsOf(input),
        }),
      };
    }

    @Mutation(() => DeletePayload, {
      name: `delete${type}`,
      description: `Deletes ${any} with everything that belongs to it.`,
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
      description: `Whether the caller may make ${plural} in it.`,
    })
    mayCreate(@Root() { id }: Project, @Ctx() context: Context): boolean | Promise<boolean> {
      return can.create(context, type, id);
    }
  }
  return [ContainerFields, ProjectFields];
}

export const containerResolvers = namedContainers.flatMap(containerFields);

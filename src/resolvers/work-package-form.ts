/** The form for a new work package in the graph. */
import { Arg, Ctx, Field, ID, InputType, ObjectType, Query, Resolver } from 'type-graphql';
import { checkWorkPackageForm } from '../actions/containers/changes/work-package-form.js';
import type { Context } from '../context.js';
import { idOf } from '../contract/ids.js';
import { markdown, Formattable } from '../models/formattable.js';
import { Project } from '../models/project.js';
import { Status } from '../models/status.js';
import { Type } from '../models/type.js';
import { User } from '../models/user.js';
import { can } from '../policies/can.js';

@InputType({ description: 'A work package that is not created yet. All members may be absent.' })
export class WorkPackageFormInput {
  @Field(() => ID, { nullable: true, description: 'Global id or integer id of the project.' })
  projectId?: string | null;

  @Field(() => String, { nullable: true, description: 'Subject of the work package.' })
  subject?: string | null;

  @Field(() => String, { nullable: true, description: 'Description of the work package.' })
  description?: string | null;

  @Field(() => ID, { nullable: true, description: 'Global id or integer id of the status.' })
  statusId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Global id or integer id of the type.' })
  typeId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Global id or integer id of the assignee.' })
  assigneeId?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Global id or integer id of the responsible person.',
  })
  responsibleId?: string | null;
}

@ObjectType({ description: 'What is wrong with a member of an input.', simpleResolvers: true })
export class InputViolation {
  @Field(() => String, { description: 'Name of the member, such as `subject`.' })
  attribute!: string;

  @Field(() => String, { description: 'What is wrong, as a sentence.' })
  message!: string;
}

@ObjectType({
  description: 'A new work package as it would be created, and what is wrong with it.',
  simpleResolvers: true,
})
export class WorkPackageForm {
  @Field(() => String, { description: 'Subject; empty if none is given.' })
  subject!: string;

  @Field(() => Formattable, { description: 'Description: Markdown.' })
  description!: Formattable;

  @Field(() => Project, { nullable: true, description: 'The project; null if none is given.' })
  project!: Project | null;

  @Field(() => Status, { nullable: true, description: 'The status, or the default one.' })
  status!: Status | null;

  @Field(() => Type, {
    nullable: true,
    description: 'The type, or the default one of the project. Null without a project and a type.',
  })
  type!: Type | null;

  @Field(() => User, { nullable: true, description: 'The assignee; null for nobody.' })
  assignee!: User | null;

  @Field(() => User, { nullable: true, description: 'The responsible person; null for nobody.' })
  responsible!: User | null;

  @Field(() => [InputViolation], { description: 'Empty if the work package can be created.' })
  violations!: InputViolation[];

  @Field(() => [Status], { description: 'The statuses that it can have, in their order.' })
  allowedStatuses!: Status[];

  @Field(() => [Type], { description: 'The types that it can have, in their order.' })
  allowedTypes!: Type[];

  @Field(() => Boolean, {
    description: 'Whether the caller may change work packages of the project.',
  })
  viewerCanUpdate!: boolean;
}

@Resolver()
export class WorkPackageFormResolver {
  @Query(() => WorkPackageForm, {
    description:
      'Checks a new work package, and fills in its defaults. Nothing is stored. ' +
      'Errors: MISSING_PERMISSION if the caller may not create work packages there; NOT_FOUND ' +
      'if the project is missing or not visible.',
  })
  async workPackageForm(
    @Arg('input', () => WorkPackageFormInput, { description: 'The work package.' })
    input: WorkPackageFormInput,
    @Ctx() context: Context,
  ): Promise<WorkPackageForm> {
    const { project, subject, columns, violations, allowedTypes, allowedStatuses } =
      await checkWorkPackageForm(context, {
        subject: input.subject,
        description: input.description,
        project: given('Project', input.projectId),
        status: given('Status', input.statusId),
        type: given('Type', input.typeId),
        assignee: given('User', input.assigneeId),
        responsible: given('User', input.responsibleId),
      });
    const { users, statuses, types } = context.loaders;
    return {
      subject,
      description: markdown(columns.descriptionText ?? ''),
      project: project ?? null,
      status: await statuses.loadOrNull(columns.statusId),
      type: await types.loadOrNull(columns.typeId),
      assignee: await users.loadOrNull(columns.assigneeId),
      responsible: await users.loadOrNull(columns.responsibleId),
      violations,
      allowedStatuses,
      allowedTypes,
      viewerCanUpdate: project !== undefined && (await can.editWorkPackages(context, project.id)),
    };
  }
}

const given = (type: string, id: string | null | undefined) =>
  id === undefined || id === null ? null : { id: idOf(type, id) };

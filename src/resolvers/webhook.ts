/** Webhooks in the graph, for administrators only. */
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { createWebhook } from '../actions/operate/webhooks/create-webhook.js';
import { deleteWebhook } from '../actions/operate/webhooks/delete-webhook.js';
import { redeliverEvent } from '../actions/operate/webhooks/redeliver-event.js';
import { rotateWebhookSecret } from '../actions/operate/webhooks/rotate-webhook-secret.js';
import { updateWebhook } from '../actions/operate/webhooks/update-webhook.js';
import type { Context } from '../context.js';
import { globalId, idOf } from '../contract/ids.js';
import { listOf, webhooks } from '../lists/by-creation.js';
import { WebhookConnection, WebhookDeliveryConnection } from '../models/relay-connection.js';
import { DateTime } from '../models/date-time.js';
import { DeliveryState, Webhook, WebhookDelivery, WebhookEvent } from '../models/webhook.js';
import { demandAdmin } from '../policies/can.js';
import { find } from '../policies/find.js';
import { found } from './found.js';
import { connection } from './connections.js';
import { PagingArgs } from './list-arguments.js';
import { ADMINS } from './schema-phrases.js';

const SECRET =
  'The secret that signs deliveries: `whsec_` and base64 text. It cannot be read again.';
@InputType({ description: 'A new webhook.' })
export class CreateWebhookInput {
  @Field(() => String, {
    description:
      'URL to which events are posted, at most 2,000 characters. It may have a query. ' +
      'It must be https, or http on the machine of the service.',
  })
  url!: string;

  @Field(() => [WebhookEvent], { description: 'The events to post, at least one.' })
  events!: WebhookEvent[];

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether events are posted. Default: true.',
  })
  enabled?: boolean | null;
}

@InputType({ description: 'Changes of a webhook. Omitted members stay unchanged.' })
export class UpdateWebhookInput {
  @Field(() => ID, { description: 'Global id or integer id of the webhook.' })
  id!: string;

  @Field(() => String, {
    nullable: true,
    description: 'URL to which events are posted, as in `createWebhook`.',
  })
  url?: string | null;

  @Field(() => [WebhookEvent], {
    nullable: true,
    description: 'The events to post, at least one.',
  })
  events?: WebhookEvent[] | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether events are posted.' })
  enabled?: boolean | null;
}

@InputType({ description: 'The webhook that gets a new secret.' })
export class RotateWebhookSecretInput {
  @Field(() => ID, { description: 'Global id or integer id of the webhook.' })
  id!: string;
}

@InputType({ description: 'The webhook to delete.' })
export class DeleteWebhookInput {
  @Field(() => ID, { description: 'Global id or integer id of the webhook.' })
  id!: string;
}

@InputType({ description: 'The delivery to repeat.' })
export class RedeliverEventInput {
  @Field(() => ID, { description: 'Global id or integer id of the delivery.' })
  id!: string;
}

@ObjectType({ description: 'The result of `createWebhook`.', simpleResolvers: true })
export class CreateWebhookPayload {
  @Field(() => Webhook, { description: 'The new webhook.' })
  webhook!: Webhook;

  @Field(() => String, { description: SECRET })
  secret!: string;
}

@ObjectType({ description: 'The result of `rotateWebhookSecret`.', simpleResolvers: true })
export class RotateWebhookSecretPayload {
  @Field(() => Webhook, { description: 'The webhook.' })
  webhook!: Webhook;

  @Field(() => String, { description: SECRET })
  secret!: string;
}

@ObjectType({ description: 'The result of `updateWebhook`.', simpleResolvers: true })
export class UpdateWebhookPayload {
  @Field(() => Webhook, { description: 'The changed webhook.' })
  webhook!: Webhook;
}

@ObjectType({ description: 'The result of `deleteWebhook`.', simpleResolvers: true })
export class DeleteWebhookPayload {
  @Field(() => ID, { description: 'Global id of the deleted webhook.' })
  deletedWebhookId!: string;
}

@ObjectType({ description: 'The result of `redeliverEvent`.', simpleResolvers: true })
export class RedeliverEventPayload {
  @Field(() => WebhookDelivery, { description: 'The delivery, whose state is `PENDING` again.' })
  delivery!: WebhookDelivery;
}

@InputType({ description: 'Deliveries.' })
class WebhookDeliveryFilter {
  @Field(() => DeliveryState, { nullable: true, description: 'Only those in this state.' })
  state?: DeliveryState | null;
}

@ArgsType()
class DeliveryArgs extends PagingArgs {
  @Field(() => WebhookDeliveryFilter, { nullable: true, description: 'Only these.' })
  filter?: WebhookDeliveryFilter | null;
}

@Resolver(() => Webhook)
export class WebhookResolver {
  @Query(() => WebhookConnection, {
    description: `Returns all webhooks, oldest first. Error: ${ADMINS}.`,
  })
  webhooks(@Args(() => PagingArgs) args: PagingArgs, @Ctx() context: Context) {
    demandAdmin(context);
    return connection(context, args, webhooks);
  }

  @Query(() => Webhook, {
    nullable: true,
    description:
      'Returns one webhook. Only administrators can see it. ' +
      'Null with the error NOT_FOUND if it is missing, and for all other users.',
  })
  webhook(
    @Arg('id', () => ID, { description: 'Global id or integer id of the webhook.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Webhook> {
    return found(find.webhook(context, idOf('Webhook', id)));
  }

  @FieldResolver(() => WebhookDeliveryConnection, {
    description:
      'The deliveries to the webhook, newest first. ' +
      'Delivered ones are stored for 7 days, dead ones for 30 days.',
  })
  deliveries(
    @Root() { id }: Webhook,
    @Args(() => DeliveryArgs) { filter, ...args }: DeliveryArgs,
    @Ctx() context: Context,
  ) {
    const state = filter?.state;
    const rows = () =>
      WebhookDelivery.query(context.db.read).where({ webhook_id: id, ...(state && { state }) });
    return connection(context, args, listOf(rows, 'desc'));
  }

  @Mutation(() => CreateWebhookPayload, {
    description:
      'Creates a webhook and its secret. Deliveries follow the Standard Webhooks specification. ' +
      `Errors: ${ADMINS}; PROPERTY_CONSTRAINT_VIOLATION for invalid input.`,
  })
  createWebhook(
    @Arg('input', () => CreateWebhookInput, { description: 'The webhook.' })
    input: CreateWebhookInput,
    @Ctx() context: Context,
  ): Promise<CreateWebhookPayload> {
    return createWebhook(context, input);
  }

  @Mutation(() => UpdateWebhookPayload, {
    description:
      'Changes a webhook. ' +
      `Errors: ${ADMINS}; NOT_FOUND if it is missing; ` +
      'PROPERTY_CONSTRAINT_VIOLATION for invalid input.',
  })
  async updateWebhook(
    @Arg('input', () => UpdateWebhookInput, { description: 'The changes.' })
    { id, ...input }: UpdateWebhookInput,
    @Ctx() context: Context,
  ): Promise<UpdateWebhookPayload> {
    return { webhook: await updateWebhook(context, idOf('Webhook', id), input) };
  }

  @Mutation(() => RotateWebhookSecretPayload, {
    description:
      'Replaces the secret of a webhook. The new secret signs all deliveries from now on, ' +
      `also pending ones. Errors: ${ADMINS}; NOT_FOUND if the webhook is missing.`,
  })
  rotateWebhookSecret(
    @Arg('input', () => RotateWebhookSecretInput, { description: 'The webhook.' })
    { id }: RotateWebhookSecretInput,
    @Ctx() context: Context,
  ): Promise<RotateWebhookSecretPayload> {
    return rotateWebhookSecret(context, idOf('Webhook', id));
  }

  @Mutation(() => DeleteWebhookPayload, {
    description:
      'Deletes a webhook and its deliveries. ' + `Errors: ${ADMINS}; NOT_FOUND if it is missing.`,
  })
  async deleteWebhook(
    @Arg('input', () => DeleteWebhookInput, { description: 'The webhook.' })
    { id }: DeleteWebhookInput,
    @Ctx() context: Context,
  ): Promise<DeleteWebhookPayload> {
    const deletedId = await deleteWebhook(context, idOf('Webhook', id));
    return { deletedWebhookId: globalId('Webhook', deletedId) };
  }

  @Mutation(() => RedeliverEventPayload, {
    description:
      'Delivers an event again, with new attempts. It works in every state of the delivery. ' +
      `Errors: ${ADMINS}; NOT_FOUND if the delivery is missing.`,
  })
  async redeliverEvent(
    @Arg('input', () => RedeliverEventInput, { description: 'The delivery.' })
    { id }: RedeliverEventInput,
    @Ctx() context: Context,
  ): Promise<RedeliverEventPayload> {
    return { delivery: await redeliverEvent(context, idOf('WebhookDelivery', id)) };
  }
}

@Resolver(() => WebhookDelivery)
export class WebhookDeliveryResolver {
  @FieldResolver(() => DateTime, {
    nullable: true,
    description: 'When the next attempt is due. Null unless the state is `PENDING`.',
  })
  nextAttemptAt(@Root() { state, dueAt }: WebhookDelivery): string | null {
    return state === DeliveryState.PENDING ? dueAt : null;
  }
}

/** Webhooks, for administrators: lists and mutations refuse everybody else, and one by its id is missing. */
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
import { createWebhook } from '../actions/webhooks/create-webhook.js';
import { deleteWebhook } from '../actions/webhooks/delete-webhook.js';
import { redeliverEvent } from '../actions/webhooks/redeliver-event.js';
import { rotateWebhookSecret } from '../actions/webhooks/rotate-webhook-secret.js';
import { updateWebhook } from '../actions/webhooks/update-webhook.js';
import type { Context } from '../context.js';
import { NotFound } from '../contract/errors.js';
import { globalId, idOf } from '../contract/ids.js';
import { byCreation } from '../loaders/page.js';
import { WebhookConnection, WebhookDeliveryConnection } from '../models/connection.js';
import { DateTime } from '../models/date-time.js';
import { DeliveryState, Webhook, WebhookDelivery, WebhookEvent } from '../models/webhook.js';
import { demandAdmin } from '../policies/can.js';
import { find } from '../policies/find.js';
import { connection, PagingArgs } from './paging.js';

const SECRET = 'The secret that signs deliveries, `whsec_` and base64. Nobody can read it again.';

@InputType({ description: 'A webhook to make.' })
export class CreateWebhookInput {
  @Field(() => String, {
    description:
      'Where events are posted to: https, or plain http on this machine. It may have a query.',
  })
  url!: string;

  @Field(() => [WebhookEvent], { description: 'What it is told; at least one.' })
  events!: WebhookEvent[];

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether it is told anything yet; true where absent.',
  })
  enabled?: boolean | null;
}

@InputType({ description: 'Changes of a webhook; absent members stay.' })
export class UpdateWebhookInput {
  @Field(() => ID, { description: 'Its id, in either form.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'Where events are posted to.' })
  url?: string | null;

  @Field(() => [WebhookEvent], { nullable: true, description: 'What it is told; at least one.' })
  events?: WebhookEvent[] | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether it is told anything.' })
  enabled?: boolean | null;
}

@InputType({ description: 'The webhook that is to have another secret.' })
export class RotateWebhookSecretInput {
  @Field(() => ID, { description: 'Its id, in either form.' })
  id!: string;
}

@InputType({ description: 'The webhook to remove.' })
export class DeleteWebhookInput {
  @Field(() => ID, { description: 'Its id, in either form.' })
  id!: string;
}

@InputType({ description: 'The delivery.' })
export class RedeliverEventInput {
  @Field(() => ID, { description: 'Its id, in either form.' })
  id!: string;
}

@ObjectType({ description: 'Answer of createWebhook.', simpleResolvers: true })
export class CreateWebhookPayload {
  @Field(() => Webhook, { description: 'The webhook.' })
  webhook!: Webhook;

  @Field(() => String, { description: SECRET })
  secret!: string;
}

@ObjectType({ description: 'Answer of rotateWebhookSecret.', simpleResolvers: true })
export class RotateWebhookSecretPayload {
  @Field(() => Webhook, { description: 'The webhook.' })
  webhook!: Webhook;

  @Field(() => String, { description: SECRET })
  secret!: string;
}

@ObjectType({ description: 'Answer of updateWebhook.', simpleResolvers: true })
export class UpdateWebhookPayload {
  @Field(() => Webhook, { description: 'The webhook as it is now.' })
  webhook!: Webhook;
}

@ObjectType({ description: 'Answer of deleteWebhook.', simpleResolvers: true })
export class DeleteWebhookPayload {
  @Field(() => ID, { description: 'Global id of the webhook that is gone.' })
  deletedWebhookId!: string;
}

@ObjectType({ description: 'Answer of redeliverEvent.', simpleResolvers: true })
export class RedeliverEventPayload {
  @Field(() => WebhookDelivery, { description: 'The delivery, pending again.' })
  delivery!: WebhookDelivery;
}

@ArgsType()
export class DeliveryArgs extends PagingArgs {
  @Field(() => DeliveryState, { nullable: true, description: 'Only those in this state.' })
  state?: DeliveryState | null;
}

@Resolver(() => Webhook)
export class WebhookResolver {
  @Query(() => WebhookConnection, {
    description: 'All webhooks, oldest first. For administrators.',
  })
  webhooks(@Args(() => PagingArgs) args: PagingArgs, @Ctx() context: Context) {
    demandAdmin(context);
    return connection(
      context,
      args,
      (page) => byCreation<Webhook>(() => Webhook.query(context.db.read), page, 'asc'),
      ({ id }) => [id],
    );
  }

  @Query(() => Webhook, {
    description: 'One webhook. For administrators; NOT_FOUND for everybody else.',
  })
  async webhook(
    @Arg('id', () => ID, { description: 'Its id, in either form.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Webhook> {
    const found = await find.webhook(context, idOf('Webhook', id));
    if (!found) throw new NotFound();
    return found;
  }

  @FieldResolver(() => WebhookDeliveryConnection, {
    description:
      'What was and is to be delivered, newest first. Delivered ones are kept for 7 days, dead ones for 30.',
  })
  deliveries(
    @Root() { id }: Webhook,
    @Args(() => DeliveryArgs) { state, ...args }: DeliveryArgs,
    @Ctx() context: Context,
  ) {
    const rows = () => {
      const some = WebhookDelivery.query(context.db.read).where('webhook_id', id);
      return state ? some.where('state', state) : some;
    };
    return connection(
      context,
      args,
      (page) => byCreation<WebhookDelivery>(rows, page, 'desc'),
      (delivery) => [delivery.id],
    );
  }

  @Mutation(() => CreateWebhookPayload, { description: 'Makes a webhook. For administrators.' })
  createWebhook(
    @Arg('input', () => CreateWebhookInput, { description: 'The webhook.' })
    input: CreateWebhookInput,
    @Ctx() context: Context,
  ): Promise<CreateWebhookPayload> {
    return createWebhook(context, input);
  }

  @Mutation(() => UpdateWebhookPayload, { description: 'Changes a webhook. For administrators.' })
  async updateWebhook(
    @Arg('input', () => UpdateWebhookInput, { description: 'The changes.' })
    { id, ...input }: UpdateWebhookInput,
    @Ctx() context: Context,
  ): Promise<UpdateWebhookPayload> {
    return { webhook: await updateWebhook(context, idOf('Webhook', id), input) };
  }

  @Mutation(() => RotateWebhookSecretPayload, {
    description:
      'Gives a webhook another secret, which signs everything from now on. For administrators.',
  })
  rotateWebhookSecret(
    @Arg('input', () => RotateWebhookSecretInput, { description: 'The webhook.' })
    { id }: RotateWebhookSecretInput,
    @Ctx() context: Context,
  ): Promise<RotateWebhookSecretPayload> {
    return rotateWebhookSecret(context, idOf('Webhook', id));
  }

  @Mutation(() => DeleteWebhookPayload, {
    description: 'Removes a webhook with its deliveries. For administrators.',
  })
  async deleteWebhook(
    @Arg('input', () => DeleteWebhookInput, { description: 'The webhook.' })
    input: DeleteWebhookInput,
    @Ctx() context: Context,
  ): Promise<DeleteWebhookPayload> {
    const id = idOf('Webhook', input.id);
    await deleteWebhook(context, id);
    return { deletedWebhookId: globalId('Webhook', id!) };
  }

  @Mutation(() => RedeliverEventPayload, {
    description:
      'Has an event delivered once more, also one that was given up. For administrators.',
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
    description: 'When it is tried the next time; null where it is not.',
  })
  nextAttemptAt(@Root() { state, dueAt }: WebhookDelivery): string | null {
    return state === DeliveryState.pending ? dueAt : null;
  }
}

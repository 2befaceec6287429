/** Relay's `Node` interface, with the opaque global id. */
import 'reflect-metadata';
import { Field, ID, InterfaceType } from 'type-graphql';

@InterfaceType({ description: 'An object that can be fetched again by its global id.' })
export abstract class Node {
  @Field(() => ID, { description: 'Global id; opaque.' })
  id!: unknown;
}

/** What happened in a work package, and what people say about it. */
import { useLayoutEffect, useRef, useState } from 'react';
import { WriteCommentDocument } from '../generated/documents';
import { moorage } from '../service';
import { Failure, Loading } from '../shell/failure';
import { Icon } from '../shell/icon';
import { useMe } from '../shell/me';
import { Time } from '../shell/time';
import { say } from '../words';
import type { WorkPackage } from './about';
import { Comment } from './comment';
import { CommentForm } from './comment-form';
import { Face } from './face';
import { refreshHistory, type History } from './history-query';
import { linesOf, sentenceOf } from './lines';

export function Activity({ workPackage, history }: { workPackage: WorkPackage; history: History }) {
  const [internal, setInternal] = useState(false);
  const isPersonKnown = useMe().isSuccess;
  const { entries, news, hasNextPage } = history;
  const list = useNewestInSight(entries.at(-1)?.id);

  async function write(comment: string): Promise<string> {
    const { createComment } = await moorage.mutate(WriteCommentDocument, {
      workPackageId: workPackage.id,
      comment,
      internal,
    });
    await refreshHistory(workPackage.id);
    return createComment.comment.id;
  }

  return (
    <section className="activity" aria-labelledby="activity">
      <h2 id="activity">{say('history.title')}</h2>
      {/* It can be scrolled with the keyboard. */}
      <div className="talk" ref={list} role="group" tabIndex={0} aria-label={say('history.list')}>
        {hasNextPage && (
          <button type="button" className="button" onClick={() => void history.fetchNextPage()}>
            {say('history.older')}
          </button>
        )}
        {history.isPending ? (
          <Loading />
        ) : history.isError && entries.length === 0 ? (
          <Failure error={history.error} again={() => void history.refetch()} />
        ) : (
          <ol className="events">
            {!hasNextPage && (
              <li className="event">
                <Face name={workPackage.author.name} />
                <p className="event-line">
                  <b>
                    <bdi>{workPackage.author.name}</bdi>
                  </b>{' '}
                  {say('history.opened')} <Time of={workPackage.createdAt} />
                </p>
              </li>
            )}
            {linesOf(entries).map((line) =>
              'comment' in line ? (
                <Comment
                  key={line.key}
                  comment={line.comment}
                  workPackageId={workPackage.id}
                  isNew={news.has(line.comment.id)}
                />
              ) : (
                <li className="event" key={line.key}>
                  <Face name={line.author} />
                  <p className="event-line">
                    <b>
                      <bdi>{line.author}</bdi>
                    </b>{' '}
                    <span>{sentenceOf(line)}</span> <Time of={line.createdAt} />
                  </p>
                </li>
              ),
            )}
          </ol>
        )}
      </div>
      {/* A draft belongs to a person, who must be known. */}
      {workPackage.viewerCanComment && isPersonKnown && (
        <CommentForm place={workPackage.id} label={say('comment.write')} send={write}>
          {workPackage.viewerCanCommentInternally && (
            <label className="tick" title={say('comment.internalWhy')}>
              <input
                type="checkbox"
                checked={internal}
                onChange={(event) => setInternal(event.target.checked)}
              />
              <Icon name="lock" />
              {say('comment.internal')}
            </label>
          )}
        </CommentForm>
      )}
    </section>
  );
}

/** Shows the newest entry, unless the reader has scrolled away from it. */
function useNewestInSight(newest: string | undefined) {
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const box = list.current;
    if (!box) return;
    const note = (): void => {
      isAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    };
    box.addEventListener('scroll', note);
    return () => box.removeEventListener('scroll', note);
  }, []);
  useLayoutEffect(() => {
    if (list.current && isAtEnd.current) list.current.scrollTop = list.current.scrollHeight;
  }, [newest]);
  return list;
}

/** A finger that is drawn to a side. */
import { useRef, type TouchEvent } from 'react';

/** A shorter way is no wish for another file, in pixels. */
const FAR = 60;
/** These are moved by a finger themselves. */
const MOVED = '.scrolls, .paper, .pages, pre, video, audio, button, a';

/** @param toLeft what comes in from the left side: the finger goes to the right */
export function useSwipe(toLeft: (() => void) | undefined, toRight: (() => void) | undefined) {
  const from = useRef<{ x: number; y: number }>(undefined);
  return {
    onTouchStart({ touches, target }: TouchEvent): void {
      const touch = touches.item(0);
      const isFree = touches.length === 1 && !(target as Element).closest(MOVED);
      from.current = isFree ? { x: touch.clientX, y: touch.clientY } : undefined;
    },
    onTouchCancel(): void {
      from.current = undefined;
    },
    onTouchEnd({ changedTouches }: TouchEvent): void {
      const touch = changedTouches.item(0);
      const { current } = from;
      from.current = undefined;
      if (!touch || !current) return;
      const x = touch.clientX - current.x;
      if (Math.abs(x) < FAR || Math.abs(x) < 2 * Math.abs(touch.clientY - current.y)) return;
      (x > 0 ? toLeft : toRight)?.();
    },
  };
}

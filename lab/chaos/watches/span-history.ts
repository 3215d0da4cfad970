// Notes every span of a test database, because the evaluator deletes finished ones, and judges them all again without
// disturbance.
import type { ToldEvent, WatchHarness } from '../../../service/test/notify/watch-harness.ts'

/** Call it before the first watch is made. */
export async function noteSpans({ selectRows }: WatchHarness): Promise<void> {
  await selectRows('create table public.span_history (like notify.watch_span, primary key (watch_id, revision))')
  await selectRows(`
    create function public.note_span() returns trigger language plpgsql security definer as $$
    begin
      delete from public.span_history noted where noted.watch_id = new.watch_id and noted.revision = new.revision;
      insert into public.span_history select new.*;
      return null;
    end $$`)
  await selectRows(`
    create trigger note_span after insert or update of until_seq on notify.watch_span
       for each row execute function public.note_span()`)
}

/** All events that the spans give, judged in one go from the position at which the watches began. */
export async function judgeUndisturbed(
  harness: WatchHarness,
  start: { readonly seq: string; readonly tag: string },
): Promise<readonly ToldEvent[]> {
  await harness.selectRows('drop trigger note_span on notify.watch_span')
  await harness.selectRows(`
    truncate notify.event, notify.news, notify.inbox, notify.watch_span, notify.recalculation, notify.recalculation_wave;
    update notify.evaluator set seq = ${start.seq}, tag = ${start.tag};
    update public.span_history set done_seq = from_seq, done_tag = from_tag;
    insert into notify.watch_span select * from public.span_history`)
  harness.restart()
  await harness.judge({ waveEndMs: -1 })
  return harness.readEvents()
}

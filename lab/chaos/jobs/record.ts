// A record of what was asked for and made, kept by triggers: the service deletes sent mails and old snapshots.
import type { Query } from './setup.ts'

const RECORD = `
  create schema chaos;
  create table chaos.asked_mail (id bigint primary key, email text not null, message_id uuid not null);
  create function chaos.record_mail() returns trigger language plpgsql security definer as $$
  begin
    insert into chaos.asked_mail values (new.id, new.email, new.message_id);
    return null;
  end
  $$;
  create trigger record_mail after insert on accounts.mail for each row execute function chaos.record_mail();

  -- Each row is a time at which a snapshot was due. The newest is the present one.
  create table chaos.due_time (nr integer primary key);
  insert into chaos.due_time values (1);
  create table chaos.made_snapshot (due_nr integer not null references chaos.due_time, id text primary key);
  create function chaos.record_snapshot() returns trigger language plpgsql security definer as $$
  begin
    insert into chaos.made_snapshot select max(nr), new.id from chaos.due_time;
    return null;
  end
  $$;
  create trigger record_snapshot after update on catalog.snapshot for each row
    when (old.scheduled_for is null and new.scheduled_for is not null) execute function chaos.record_snapshot();
`

export async function createRecord(query: Query): Promise<void> {
  await query(RECORD)
}

export interface AskedMail {
  readonly id: string
  readonly email: string
  readonly messageId: string
}

export function readAskedMails(query: Query): Promise<readonly AskedMail[]> {
  return query<AskedMail>('select id, email, message_id as "messageId" from chaos.asked_mail order by id')
}

export interface DueTime {
  readonly nr: number
  readonly snapshots: number
}

/** Reads, for each time at which a snapshot was due, how many were made. */
export function readDueTimes(query: Query): Promise<readonly DueTime[]> {
  return query<DueTime>(`
    select nr, count(id)::integer as snapshots
      from chaos.due_time left join chaos.made_snapshot on due_nr = nr
     group by nr
     order by nr
  `)
}

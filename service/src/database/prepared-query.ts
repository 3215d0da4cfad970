// Runs one prepared statement on a client of the library pg. Values are sent and columns are returned as text. pg's own
// query objects ask the server to describe the result of every call and convert every value, which takes more processor
// time than everything else in a small statement.
import type { Client, Connection } from 'pg'

export interface PreparedStatement {
  /** Name of the prepared statement in the database session. An empty name prepares the statement for one call. */
  readonly name: string
  readonly text: string
}

export type TextRow = readonly (string | null)[]

const preparedNames = new WeakMap<Connection, Set<string>>()

export function runPreparedQuery(
  client: Client,
  statement: PreparedStatement,
  values: readonly string[],
): Promise<readonly TextRow[]> {
  return new Promise((resolve, reject) => {
    client.query(createQuery(statement, values, (error, rows) => (error ? reject(error) : resolve(rows))))
  })
}

type QueryCallback = (error: Error | null, rows: readonly TextRow[]) => void

/** pg's client calls this object for each message. It replaces `callback` with a function that also stops its timer. */
function createQuery({ name, text }: PreparedStatement, values: readonly string[], callback: QueryCallback) {
  const rows: TextRow[] = []
  let stopWatching = () => {}
  const query = {
    callback,
    submit: (connection: Connection) => {
      // `cork` makes Node send all messages in one write.
      connection.stream.cork()
      if (!preparedNames.get(connection)?.has(name)) {
        connection.parse({ name, text, types: [] }, true)
        if (name !== '') stopWatching = notePrepared(connection, name)
      }
      connection.bind({ statement: name, values: [...values] }, true)
      connection.execute(null, true)
      connection.sync()
      connection.stream.uncork()
    },
    handleDataRow: ({ fields }: { fields: TextRow }) => {
      rows.push(fields)
    },
    handleCommandComplete: () => {},
    handleError: (error: Error) => {
      stopWatching()
      query.callback(error, rows)
    },
    handleReadyForQuery: () => query.callback(null, rows),
  }
  return query
}

/** A statement stays prepared even if its first execution fails. Returns a function that stops waiting. */
function notePrepared(connection: Connection, name: string): () => void {
  const note = () => {
    const names = preparedNames.get(connection) ?? new Set()
    preparedNames.set(connection, names.add(name))
  }
  connection.once('parseComplete', note)
  return () => connection.off('parseComplete', note)
}

// Parses HTTP answers for clients that use a plain socket.

export interface WireAnswer {
  readonly status: number
  /** Whether the answer has the header `Connection: close`. */
  readonly announcesClose: boolean
  readonly body: string
}

/** Parses every complete HTTP answer. `received` must be decoded as latin1, so that one character is one byte. */
export function parseAnswers(received: string): readonly WireAnswer[] {
  const answers: WireAnswer[] = []
  let rest = received
  for (let headEnd = rest.indexOf('\r\n\r\n'); headEnd !== -1; headEnd = rest.indexOf('\r\n\r\n')) {
    const head = rest.slice(0, headEnd)
    const bodyStart = headEnd + 4
    const bodyEnd = bodyStart + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
    if (rest.length < bodyEnd) break
    answers.push({
      status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]),
      announcesClose: /^connection: *close/im.test(head),
      body: rest.slice(bodyStart, bodyEnd),
    })
    rest = rest.slice(bodyEnd)
  }
  return answers
}

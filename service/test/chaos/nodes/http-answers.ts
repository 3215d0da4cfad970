// Answers as they stand on the wire, for clients that speak through a bare socket.

export interface WireAnswer {
  readonly status: number
  /** It says `Connection: close`. */
  readonly announcesClose: boolean
  readonly body: string
}

/** Every whole answer in what was received. `received` must be decoded as latin1: then characters are bytes. */
export function wholeAnswers(received: string): readonly WireAnswer[] {
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

// Limits the text of an answer, which is kept in memory until it is sent.

import { createIssue } from '../../contract/request/validation-issue.ts'
import { type ApiError, invalidParameters } from '../../contract/response/errors.ts'

const MAX_ANSWER_CHARACTERS = 32 * 1024 * 1024

/**
 * Returns a function that passes chunks of the answer through and throws 400 once their total length exceeds the limit.
 */
export function limitAnswer(maxCharacters = MAX_ANSWER_CHARACTERS): (text: string) => string {
  let characters = 0
  return (text) => {
    characters += text.length
    if (characters > maxCharacters) throw answerTooLarge(maxCharacters)
    return text
  }
}

function answerTooLarge(maxCharacters: number): ApiError {
  const megabytes = maxCharacters / 1024 / 1024
  const message = `makes the answer larger than ${megabytes} MiB; send a smaller value, a more urgent priority_max, or the components in parts`
  return invalidParameters([{ ...createIssue('matches_per_component', null, 'a smaller number'), message }])
}

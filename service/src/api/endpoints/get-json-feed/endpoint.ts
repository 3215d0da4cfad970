import { Type } from 'typebox'
import { required } from '../../../contract/request/parameters.ts'
import { noSuchFeed } from '../../../contract/watches/errors.ts'
import { feedTokenType } from '../../../contract/watches/feed.ts'
import { defineEndpoint } from '../../services.ts'

export const getJsonFeed = defineEndpoint({
  name: 'get-json-feed',
  method: 'GET',
  path: '/feeds/{token}.json',
  tag: 'Watches',
  summary: 'Read a feed as JSON Feed 1.1',
  description:
    'The newest 100 events of a watch, without muted ones, for feed readers: its secret address is the only credential. The ids are urn:uuid: and the id of the event, so an event that another channel told too is recognised. Within a minute, the same bytes; 304 is free. 404: the feed has ended.',
  access: 'public',
  credits: 0,
  consumesRate: false,
  work: 'none',
  cacheControl: 'private, max-age=300',
  response: {
    name: 'JsonFeed',
    mediaType: 'application/feed+json',
    schema: Type.String({ description: 'The feed.' }),
  },
  errors: ['NOT_FOUND'],
  parameters: { path: { token: required(feedTokenType(), 'The secret part of the address.') } },
  answer: async ({ path: { token } }, { feeds }) => {
    const file = await feeds.read(token, 'json')
    if (!file) throw noSuchFeed()
    return { file }
  },
})

// Feed of public repositories that claim to demonstrate an exploit for a CVE, from nomi-sec's list PoC-in-GitHub. Only
// the address and the date of a repository are stored, never its content.
import { address } from '../../../domain/setting.ts'
import { evidenceFeed } from '../../evidence-feed.ts'
import { defineFeed } from '../../feed-definition.ts'
import { normaliseRepository } from './normalise.ts'
import { type RawRepository, readRepositories } from './read-repositories.ts'

export const pocFeed = evidenceFeed<RawRepository>({
  feed: 'poc',
  name: 'PoC-in-GitHub-master.zip',
  maxDownloadBytes: 512 * 1024 * 1024,
  inDirectory: /^(?:PoC-in-GitHub-master\.zip|poc_in_github\.ndjson(?:\.gz)?)$/,
  read: readRepositories,
  normalise: normaliseRepository,
})

export const pocDefinition = defineFeed(
  {
    url: address('FEED_POC_URL', 'https://codeload.github.com/nomi-sec/PoC-in-GitHub/zip/refs/heads/master'),
  },
  pocFeed,
)

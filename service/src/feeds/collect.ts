// Interface between a feed and the collector, which downloads upstream's files for a service without a network.
import type { DownloadContext, DownloadRequest } from './download.ts'

/**
 * Downloads upstream's files as they are, under names that the feed reads from a directory. Every feed has this function:
 * a source that cannot be collected cannot reach a closed network.
 */
export type Collect = (context: CollectContext) => Promise<Collection>

/** Files in `spool` are not part of the collection. */
export interface CollectContext extends DownloadContext {
  /** Puts a file into the feed's folder and returns its path. A file that is there and current is not downloaded again. */
  file(request: CollectRequest): Promise<string>
  /** Keeps the file with this name from an earlier collection; false if there is none, or one with another version. */
  keep(name: string, version?: string): Promise<boolean>
  /** Moves a file that the feed has downloaded and checked into its folder. */
  add(file: AddedFile): Promise<void>
  /** Names of the feed's files from earlier collections. */
  readonly earlier: readonly string[]
}

export interface CollectRequest extends Omit<DownloadRequest, 'validators' | 'onBytes'> {
  readonly name: string
  /** What upstream's list says about the content, such as a hash: a file with the same version is not requested. */
  readonly version?: string
  /** Throws a FeedError if the downloaded file is not what upstream's list says. */
  readonly check?: (path: string) => Promise<void>
}

export interface AddedFile {
  readonly name: string
  readonly url: string
  readonly version: string
  readonly path: string
}

export interface Collection {
  /**
   * Number of records in upstream's own index. `whole`: the files are the index, as a download of them would be. Null if
   * unknown.
   */
  readonly index: number | 'whole' | null
}

/** For a feed whose upstream publishes all records in one file. */
export function collectFile(request: CollectRequest): Collect {
  return async (context) => {
    await context.file(request)
    return { index: 'whole' }
  }
}

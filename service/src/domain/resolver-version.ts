/** The version of the resolver: raise it when the same facts are to give another record. */
export const RESOLVER_VERSION = '1.1'

// Module for a test process: on SIGUSR2 the process allocates memory until V8 ends it, while it goes on serving.
const MEGABYTES_PER_TURN = 16

process.once('SIGUSR2', () => {
  const kept: number[][] = []
  const allocate = () => {
    kept.push(Array.from({ length: MEGABYTES_PER_TURN * 131_072 }, (_, n) => n + 0.5))
    setImmediate(allocate)
  }
  allocate()
})

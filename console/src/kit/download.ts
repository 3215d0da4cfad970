const TYPES = { csv: 'text/csv;charset=utf-8', json: 'application/json' } as const

/** Saves text as a file. The text does not leave the browser. */
export function download(name: string, text: string, type: keyof typeof TYPES): void {
  const url = URL.createObjectURL(new Blob([text], { type: TYPES[type] }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

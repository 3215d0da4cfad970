const TYPES = {
  csv: 'text/csv;charset=utf-8',
  json: 'application/json',
  markdown: 'text/markdown;charset=utf-8',
} as const

/** Saves text as a file. The text does not leave the browser. */
export function download(name: string, text: string, type: keyof typeof TYPES): void {
  const url = URL.createObjectURL(new Blob([text], { type: TYPES[type] }))
  downloadFrom(name, url)
  URL.revokeObjectURL(url)
}

/** Lets the browser save what an address answers, without loading it into the page. */
export function downloadFrom(name: string, url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

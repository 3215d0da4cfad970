// The browser script of the guide (/docs/copy.js). It adds a button to every code block that a reader may want to copy;
// without JavaScript the pages show no button. Browsers provide navigator.clipboard only to pages from HTTPS or from
// the reader's own computer, so on other pages the script selects the code and uses the older `copy` command.

export const COPY_SCRIPT = `const status = document.createElement('p')
status.className = 'copy-status'
status.setAttribute('role', 'status')
document.body.append(status)

for (const figure of document.querySelectorAll('.guide figure:not(.answer)')) {
  const code = figure.querySelector('code')
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    const isCopied = await copy(code)
    button.textContent = isCopied ? 'Copied' : 'Selected'
    status.textContent = isCopied ? 'Copied to the clipboard.' : 'Selected. Press Ctrl+C to copy.'
    setTimeout(() => {
      button.textContent = 'Copy'
      status.textContent = ''
    }, 2000)
  })
  figure.querySelector('figcaption').append(button)
}

async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent)
    return true
  } catch {
    getSelection().selectAllChildren(code)
    return document.execCommand('copy')
  }
}
`

// Saves the result of a check.
import { Download } from 'lucide-react'
import { download } from '../../kit/download.ts'
import { Menu, MenuItem } from '../../kit/menu.tsx'
import { toCsv } from './csv.ts'
import type { Answer } from './result.ts'

export function Downloads({ answer }: { readonly answer: Answer }) {
  return (
    <Menu
      label="Download"
      trigger={
        <>
          <Download aria-hidden size={14} /> Download
        </>
      }
    >
      <MenuItem onSelect={() => download('affected.csv', toCsv(answer), 'csv')}>CSV</MenuItem>
      <MenuItem onSelect={() => download('affected.json', JSON.stringify(answer, null, 2), 'json')}>JSON</MenuItem>
    </Menu>
  )
}

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { gzipFiles } from './build/gzip-files.ts'
import { pageFiles } from './build/page-files.ts'
import { startScript } from './build/start-script.ts'

/** Address of the service that answers the calls of the console under "npm run dev". */
const SERVICE = process.env['VIS_URL'] ?? 'http://127.0.0.1:3000'

/** The proxy keeps the Host header, so that the service sees calls of the same origin. */
const PROXY = { target: SERVICE, changeOrigin: false }

/**
 * Modules that the same pages share become one chunk. A chunk with less source than this joins the chunk of similar pages:
 * a request costs more than a few modules that a page does not need. With 8 kB, the page of a CVE got 9 kB of them.
 */
const MIN_SHARED_BYTES = 3 * 1024

export default defineConfig({
  base: '/console/',
  plugins: [react(), tailwindcss(), startScript(), pageFiles(), gzipFiles()],
  // The console compiles the sdk from its sources, because the compiled files in sdk/dist may be absent or outdated.
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2022',
    // The content security policy forbids data: addresses, so no file becomes part of another.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // A page's chunk is named after its folder, and a shared one without the names of all its pages.
    rolldownOptions: {
      output: {
        chunkFileNames: ({ facadeModuleId, name }) =>
          `assets/${/\/pages\/([\w-]+)\/page\.tsx$/.exec(facadeModuleId ?? '')?.[1] ?? name.replace(/~.*/, '')}-[hash].js`,
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 1 },
            {
              name: 'shared',
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: MIN_SHARED_BYTES,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/console/api': PROXY, '/health': PROXY, '/docs': PROXY },
  },
})

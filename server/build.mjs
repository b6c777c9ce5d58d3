// Bundles our own code into one file, so that a start reads one file and runs no compiler. Packages stay outside.
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'

await build({
  absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
  entryPoints: ['src/main.ts'],
  outfile: 'dist/main.js',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  // Only what npm installs for others stays outside; our workspaces are bundled.
  plugins: [
    {
      name: 'packages-outside',
      setup(builder) {
        builder.onResolve({ filter: /^[^.#/]/ }, ({ path }) =>
          /^(backend|server|supabase-project)\//.test(path) ? null : { path, external: true },
        )
      },
    },
  ],
})

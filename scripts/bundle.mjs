// Bundles a program into a single file, so that it starts without a compiler.
// Our workspaces are bundled; third-party packages stay external. Usage: bundle.mjs ENTRY OUTFILE
import { build } from 'esbuild'

await build({
  entryPoints: [process.argv[2]],
  outfile: process.argv[3],
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
  plugins: [
    {
      name: 'packages-outside',
      setup(builder) {
        builder.onResolve({ filter: /^[^.#/]/ }, ({ path, kind }) =>
          kind === 'entry-point' || /^(backend|server|supabase-project)\//.test(path)
            ? null
            : { path, external: true },
        )
      },
    },
  ],
})

// Makes a component of a JavaScript module: `node build.mjs MODULE WIT-DIRECTORY WORLD OUTPUT`.
import { writeFile } from 'node:fs/promises';
import { componentize } from '@bytecodealliance/componentize-js';

const [sourcePath, witPath, worldName, output] = process.argv.slice(2);
// What initialises the component keeps a cache, and fails where it cannot make the directory. It sees no variable but
// those below, and the module sees them too: this name is the same on every machine, and leads to the temporary directory.
process.chdir(process.env.TMPDIR);
const env = { XDG_CACHE_HOME: '/proc/self/cwd/cache' };
try {
  const { component } = await componentize({
    sourcePath,
    witPath,
    worldName,
    env,
    // What the module does not import, it shall not have: the engine's own clock, network and randomness are left out.
    disableFeatures: ['stdio', 'random', 'clocks', 'http', 'fetch-event'],
  });
  await writeFile(output, component);
} catch (error) {
  // Its message says which line of the module is wrong; the stack is that of the builder.
  console.error(String(error?.message ?? error));
  process.exitCode = 1;
}

//! Commands that run another one, and where in their words it stands.

/// A wrapper: `sudo -u x CMD`, `docker compose -f a.yml run x CMD`, `script -qc 'CMD'`.
pub struct Wrapper {
    /// Its name and the words under it; flags may stand between them.
    pub head: &'static str,
    /// Flags that take the next word.
    pub taking: &'static str,
    /// Flags whose value is a command line, or where the command begins.
    pub line: &'static str,
    /// Words of its own before the command: a service, a host, a time.
    pub own: usize,
}

/// Any words of its own: the command stands behind a flag of `line`, or behind `--`.
pub const ANY: usize = usize::MAX;

const fn plain(head: &'static str) -> Wrapper {
    Wrapper { head, taking: "", line: "", own: 0 }
}

const fn taking(head: &'static str, taking: &'static str) -> Wrapper {
    Wrapper { taking, ..plain(head) }
}

const fn after(head: &'static str, own: usize, taking: &'static str) -> Wrapper {
    Wrapper { own, taking, ..plain(head) }
}

const fn line(head: &'static str, line: &'static str, taking: &'static str) -> Wrapper {
    Wrapper { line, taking, ..plain(head) }
}

const fn within(head: &'static str, line: &'static str, taking: &'static str) -> Wrapper {
    Wrapper { head, line, taking, own: ANY }
}

const COMPOSE: &str = "-f --file -p --project-name --profile --env-file --project-directory --parallel --ansi --progress -e --env \
                       -u --user -w --workdir -v --volume --name --entrypoint -l --label --publish --index --context --cap-add --pull";
const DOCKER: &str = "-e --env --env-file -u --user -w --workdir -v --volume --name --entrypoint -p --publish -l --label --network --net \
                      -m --memory --cpus --mount --platform -h --hostname --add-host --context -H --host --gpus --ulimit --shm-size \
                      --cap-add --device --restart --ip --pull --security-opt --tmpfs --log-driver --dns --link --volumes-from --detach-keys";
const KUBECTL: &str = "-n --namespace -c --container --context --kubeconfig -f --filename --cluster --user --pod-running-timeout --image";
const SUDO: &str = "-u --user -g --group -h --host -p --prompt -C --close-from -r --role -t --type -T --command-timeout -U --other-user \
                    -D --chdir -R --chroot";
const NODE: &str = "-p --package -C --dir --cwd --prefix -w --workspace -F --filter --filter-prod --workspace-concurrency --reporter \
                    --node-options --loglevel";
const PYTHON: &str = "-p --python --with --with-editable --with-requirements --from --spec --package --extra --group --only-group \
                      --no-group --project --directory --env-file --index-url -i --index --cache-dir --config-file -C -P -e --env \
                      --python-platform --pip-args --refresh-package --color";
const CONDA: &str = "-n --name -p --prefix --cwd";

/// All of them; of those that begin alike, the longest first.
pub const WRAPPERS: &[Wrapper] = &[
    // Another user, another surrounding.
    taking("sudo", SUDO),
    taking("doas", "-u -C -a"),
    within("su", "-c --command", "-s --shell -g -G"),
    within("runuser", "-c --command", "-u --user -s --shell -g -G"),
    after("gosu", 1, ""),
    after("su-exec", 1, ""),
    taking("setpriv", "--reuid --regid --groups --inh-caps"),
    line("env", "-S --split-string", "-u --unset -C --chdir"),
    plain("command"),
    plain("builtin"),
    taking("exec", "-a"),
    plain("cross-env"),
    plain("cross-env-shell"),
    taking("env-cmd", "-f --file -e --environments -r --rc-file"),
    taking("dotenv run", "-f --file -e -c"),
    taking("dotenv", "-f --file -e -c -v -p -o"),
    taking("dotenvx run", "-f --env-file -e --env -fk"),
    after("direnv exec", 1, ""),
    after("chroot", 1, "--userspec --groups"),
    after("ip netns exec", 1, ""),
    taking("unshare", "-R -w -S -G"),
    taking("nsenter", "-t --target"),
    taking(
        "systemd-run",
        "-p --property -u --unit -E --setenv -M --machine -H --host --uid --gid --slice --working-directory --description",
    ),
    plain("systemd-inhibit"),
    plain("firejail"),
    plain("dbus-run-session"),
    plain("fakeroot"),
    plain("winpty"),
    taking("arch", "-e"),
    // Time, place, priority.
    taking("time", "-f --format -o --output"),
    taking("gtime", "-f --format -o --output"),
    after("timeout", 1, "-s --signal -k --kill-after"),
    after("gtimeout", 1, "-s --signal -k --kill-after"),
    taking("nice", "-n --adjustment"),
    taking("ionice", "-c --class -n --classdata"),
    after("chrt", 1, "-T -P -D"),
    after("taskset", 1, ""),
    taking("numactl", "-N -m -C -p"),
    taking("cpulimit", "-l -e -p"),
    plain("prlimit"),
    plain("nohup"),
    plain("setsid"),
    plain("disown"),
    taking("stdbuf", "-i -o -e --input --output --error"),
    plain("unbuffer"),
    plain("chronic"),
    taking("caffeinate", "-t -w"),
    taking("watch", "-n --interval"),
    within("flock", "-c --command", "-w --wait --timeout -E"),
    after("flock", 1, "-w --wait --timeout -E"),
    taking("retry", "-t -d -m -x --times --delay --max --tries"),
    after("faketime", 1, "-f"),
    within("script", "-c --command", "-t -o -B -I -O -T -m -E"),
    after("script", 1, "-t -o -B -I -O -T -m -E"),
    taking("xvfb-run", "-s --server-args -n --server-num -e -f -p -w"),
    // What watches a command.
    taking("strace", "-e -o -p -s -u -E -a -O -S -P"),
    taking("ltrace", "-e -o -p -s -u -a -n"),
    plain("catchsegv"),
    taking("perf stat", "-e -r -o -x -C -p"),
    taking("perf record", "-e -o -F -c -g"),
    plain("rr record"),
    plain("rtk"),
    plain("proxychains"),
    plain("proxychains4"),
    plain("torsocks"),
    // Of each of many.
    taking("xargs", "-n -I -P -L -d -a -s -E --max-args --max-procs --replace --delimiter --arg-file"),
    taking("parallel", "-j --jobs -a --arg-file -I --colsep --joblog --delay --retries --timeout --results"),
    // Containers and other machines.
    after("docker compose run", 1, COMPOSE),
    after("docker compose exec", 1, COMPOSE),
    after("docker-compose run", 1, COMPOSE),
    after("docker-compose exec", 1, COMPOSE),
    after("podman compose run", 1, COMPOSE),
    after("podman compose exec", 1, COMPOSE),
    after("podman-compose run", 1, COMPOSE),
    after("podman-compose exec", 1, COMPOSE),
    after("docker container run", 1, DOCKER),
    after("docker container exec", 1, DOCKER),
    after("docker run", 1, DOCKER),
    after("docker exec", 1, DOCKER),
    after("podman run", 1, DOCKER),
    after("podman exec", 1, DOCKER),
    after("nerdctl run", 1, DOCKER),
    after("nerdctl exec", 1, DOCKER),
    after("kubectl exec", 1, KUBECTL),
    after("kubectl run", 1, KUBECTL),
    after("oc exec", 1, KUBECTL),
    after("k exec", 1, KUBECTL),
    taking("heroku run", "-a --app -s --size -r --remote -e --env --type"),
    within("fly ssh console", "-C --command", "-a --app"),
    within("vagrant ssh", "-c --command", ""),
    after("ssh", 1, "-p -i -l -o -F -J -L -R -D -b -c -E -e -I -m -O -Q -S -W -w"),
    taking("wsl", "-d --distribution -u --user --cd"),
    taking("ddev exec", "-s --service -d --dir"),
    plain("ddev"),
    within("lando ssh", "-c --command", "-s --service -u --user"),
    plain("lando"),
    // Secrets.
    taking("op run", "--env-file --account"),
    taking("doppler run", "-p --project -c --config -t --token"),
    taking("infisical run", "--env --path --projectId --token"),
    after("aws-vault exec", 1, "-d --duration -r --region"),
    after("chamber exec", 1, ""),
    after("sops exec-env", 1, ""),
    // Scripts and packages of Node.
    line("npx", "-c --call", NODE),
    taking("pnpx", NODE),
    taking("bunx", NODE),
    line("npm exec", "-c --call", NODE),
    line("npm x", "-c --call", NODE),
    taking("pnpm exec", NODE),
    taking("pnpm dlx", NODE),
    taking("pnpm run", NODE),
    taking("pnpm", NODE),
    taking("yarn exec", NODE),
    taking("yarn dlx", NODE),
    taking("yarn run", NODE),
    after("yarn workspace", 1, NODE),
    taking("yarn workspaces foreach run", "--from --include --exclude -j --jobs"),
    taking("yarn workspaces foreach exec", "--from --include --exclude -j --jobs"),
    taking("yarn", NODE),
    taking("bun x", NODE),
    taking("bun run", NODE),
    taking("lerna exec", "--scope --ignore --concurrency"),
    plain("nx exec"),
    taking("volta run", "--node --npm --yarn --pnpm --env"),
    after("nvm exec", 1, ""),
    taking("fnm exec", "--using"),
    // Of Python.
    line("uv run", "-m --module", PYTHON),
    taking("uv tool run", PYTHON),
    taking("uvx", PYTHON),
    taking("pipx run", PYTHON),
    taking("poetry run", PYTHON),
    taking("pipenv run", PYTHON),
    taking("pdm run", PYTHON),
    taking("hatch run", PYTHON),
    taking("rye run", PYTHON),
    taking("pixi run", "-e --environment --manifest-path"),
    taking("conda run", CONDA),
    taking("mamba run", CONDA),
    taking("micromamba run", CONDA),
    line("coverage run", "-m --module", "--source --rcfile --include --omit --data-file --context --concurrency"),
    // Of others.
    plain("bundle exec"),
    after("rustup run", 1, ""),
    plain("composer exec"),
    plain("dotnet tool run"),
    plain("rbenv exec"),
    plain("pyenv exec"),
    plain("nodenv exec"),
    plain("asdf exec"),
    within("mise exec", "-c --command", "-C --cd -j --jobs"),
    within("mise x", "-c --command", "-C --cd -j --jobs"),
    within("nix develop", "-c --command", ""),
    within("nix shell", "-c --command", ""),
    within("nix-shell", "--run --command", "-p -A"),
    within("guix shell", "", ""),
    taking("devbox run", "-c --config -e --env"),
    // Words of the shell.
    plain("then"),
    plain("do"),
    plain("else"),
    plain("if"),
    plain("elif"),
    plain("while"),
    plain("until"),
    plain("!"),
    plain("{"),
    plain("eval"),
];

# Filled in by packaging/build.sh. CI has no Homebrew: nobody has tried it there.
class PlanMd < Formula
  desc "Keeps an agent's plan in plan.md and signs a goal off only with proof"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]
  url "@RELEASES@/plan-md-@VERSION@-@TARGET@.tar.gz"
  sha256 "@SHA256@"

  def install
    bin.install "plan"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/plan.bash" => "plan"
    zsh_completion.install "completions/plan.zsh" => "_plan"
    fish_completion.install "completions/plan.fish"
  end

  test do
    system bin/"plan", "--version"
  end
end

package bailiwick;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import javax.inject.Inject;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.MavenExecutionException;
import org.apache.maven.RepositoryUtils;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.Extension;
import org.apache.maven.model.Model;
import org.apache.maven.model.Parent;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.model.Repository;
import org.apache.maven.model.building.DefaultModelBuildingRequest;
import org.apache.maven.model.building.FileModelSource;
import org.apache.maven.model.building.ModelBuilder;
import org.apache.maven.model.building.ModelBuildingException;
import org.apache.maven.model.building.ModelBuildingRequest;
import org.apache.maven.model.building.ModelProblem;
import org.apache.maven.model.building.ModelSource;
import org.apache.maven.model.resolution.ModelResolver;
import org.apache.maven.model.resolution.UnresolvableModelException;
import org.apache.maven.plugin.MavenPluginManager;
import org.apache.maven.plugin.descriptor.MojoDescriptor;
import org.apache.maven.plugin.descriptor.PluginDescriptor;
import org.apache.maven.plugin.internal.PluginDependenciesResolver;
import org.apache.maven.plugin.version.DefaultPluginVersionRequest;
import org.apache.maven.plugin.version.PluginVersionResolver;
import org.eclipse.aether.DefaultRepositorySystemSession;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.DependencyNode;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.transfer.ArtifactNotFoundException;

/**
 * Fetches what the build of one package takes, and runs nothing that its project file names.
 *
 * Maven loads this class before it reads a project, with the settings, mirrors and proxies of the person. It computes the
 * effective model with the builder that descriptors of dependencies are read with, which loads no extension, and
 * downloads artifacts. No plugin is started, no class of an artifact is loaded, and repositories that a project file
 * names are not asked: one with the name of a server of the settings would be given its password.
 *
 * Properties: `bailiwick.pom` the project file, `bailiwick.report` what is written, `bailiwick.until` the last phase.
 * The report has `lacks`, `build` or `tests`, `absent` or `unreachable`, artifact and reason a line, separated by tabs.
 */
@Named("bailiwick")
@Singleton
public final class Fetch extends AbstractMavenLifecycleParticipant {
    private static final List<String> COMPILE = Arrays.asList("validate", "initialize", "generate-sources",
        "process-sources", "generate-resources", "process-resources", "compile");
    private static final List<String> PACKAGE = Arrays.asList("pre-clean", "clean", "post-clean", "process-classes",
        "generate-test-sources", "process-test-sources", "generate-test-resources", "process-test-resources",
        "test-compile", "process-test-classes", "test", "prepare-package", "package");

    @Inject private ModelBuilder models;
    @Inject private RepositorySystem system;
    @Inject private MavenPluginManager descriptors;
    @Inject private PluginDependenciesResolver plugins;
    @Inject private PluginVersionResolver versions;

    private final Set<String> report = new LinkedHashSet<>();
    private DefaultRepositorySystemSession session;
    private List<RemoteRepository> libraries;
    private List<RemoteRepository> tools;

    @Override
    public void afterSessionStart(MavenSession maven) throws MavenExecutionException {
        Properties asked = maven.getUserProperties();
        session = new DefaultRepositorySystemSession(maven.getRepositorySession());
        session.setIgnoreArtifactDescriptorRepositories(true);
        libraries = RepositoryUtils.toRepos(maven.getRequest().getRemoteRepositories());
        tools = RepositoryUtils.toRepos(maven.getRequest().getPluginArtifactRepositories());
        // A variable of the environment must not become part of an address.
        Properties properties = new Properties();
        for (String name : maven.getSystemProperties().stringPropertyNames()) {
            if (!name.startsWith("env.")) {
                properties.setProperty(name, maven.getSystemProperties().getProperty(name));
            }
        }
        try {
            Model model = read(new File(asked.getProperty("bailiwick.pom")), properties);
            if (model != null) {
                dependencies(model);
                plugins(model, asked.getProperty("bailiwick.until").equals("package"));
            }
            Files.write(new File(asked.getProperty("bailiwick.report")).toPath(), report);
        } catch (IOException error) {
            throw new MavenExecutionException("the report cannot be written", error);
        }
    }

    private Model read(File pom, Properties properties) {
        ModelBuildingRequest request = new DefaultModelBuildingRequest().setPomFile(pom)
            .setModelResolver(new Parents()).setSystemProperties(properties).setProcessPlugins(true)
            .setValidationLevel(ModelBuildingRequest.VALIDATION_LEVEL_MINIMAL);
        try {
            return models.build(request).getEffectiveModel();
        } catch (ModelBuildingException error) {
            if (report.isEmpty()) {
                ModelProblem first = error.getProblems().isEmpty() ? null : error.getProblems().get(0);
                line("broken", "build", "", "", first == null ? error.getMessage() : first.getMessage());
            }
            return null;
        }
    }

    private void dependencies(Model model) {
        CollectRequest collect = new CollectRequest().setRepositories(libraries);
        collect.setRootArtifact(new DefaultArtifact(model.getGroupId(), model.getArtifactId(), "pom", model.getVersion()));
        for (Dependency one : model.getDependencies()) {
            if (!"system".equals(one.getScope())) {
                collect.addDependency(RepositoryUtils.toDependency(one, session.getArtifactTypeRegistry()));
            }
        }
        if (model.getDependencyManagement() != null) {
            for (Dependency one : model.getDependencyManagement().getDependencies()) {
                collect.addManagedDependency(RepositoryUtils.toDependency(one, session.getArtifactTypeRegistry()));
            }
        }
        try {
            List<ArtifactRequest> wanted = new ArrayList<>();
            Set<String> tests = new HashSet<>();
            gather(system.collectDependencies(session, collect).getRoot(), wanted, tests);
            try {
                system.resolveArtifacts(session, wanted);
            } catch (ArtifactResolutionException error) {
                for (ArtifactResult result : error.getResults()) {
                    boolean test = tests.contains(result.getRequest().getArtifact().toString());
                    lacking(result, test ? "tests" : "build");
                }
            }
        } catch (Exception error) {
            lacking(error, "build", "");
        }
    }

    private void gather(DependencyNode root, List<ArtifactRequest> wanted, Set<String> tests) {
        List<DependencyNode> waiting = new ArrayList<>(root.getChildren());
        while (!waiting.isEmpty()) {
            DependencyNode node = waiting.remove(waiting.size() - 1);
            waiting.addAll(node.getChildren());
            wanted.add(new ArtifactRequest(node.getArtifact(), libraries, "project"));
            if ("test".equals(node.getDependency().getScope())) {
                tests.add(node.getArtifact().toString());
            }
        }
    }

    private void plugins(Model model, boolean packaged) {
        for (Extension one : model.getBuild().getExtensions()) {
            Plugin plugin = new Plugin();
            plugin.setGroupId(one.getGroupId());
            plugin.setArtifactId(one.getArtifactId());
            plugin.setVersion(one.getVersion());
            plugin(plugin, "build", true);
        }
        for (Plugin plugin : model.getBuild().getPlugins()) {
            String needed = null;
            boolean unbound = false;
            for (PluginExecution execution : plugin.getExecutions()) {
                unbound |= execution.getPhase() == null;
                needed = nearer(needed, execution.getPhase(), packaged);
            }
            if (plugin.isExtensions()) {
                needed = "build";
            }
            if (needed != null || unbound) {
                plugin(plugin, needed, needed != null, packaged);
            }
        }
    }

    private static String nearer(String needed, String phase, boolean packaged) {
        if (COMPILE.contains(phase) || "build".equals(needed)) {
            return "build";
        }
        return packaged && PACKAGE.contains(phase) ? "tests" : needed;
    }

    private void plugin(Plugin plugin, String needed, boolean whole) {
        plugin(plugin, needed, whole, false);
    }

    /** Of a plugin whose phase only its descriptor tells, Maven reads the descriptor whatever it is asked to do. */
    private void plugin(Plugin plugin, String needed, boolean whole, boolean packaged) {
        String name = plugin.getGroupId() + ":" + plugin.getArtifactId() + ":jar:" + plugin.getVersion();
        try {
            if (plugin.getVersion() == null) {
                plugin.setVersion(versions.resolve(new DefaultPluginVersionRequest(plugin, session, tools)).getVersion());
            }
            Artifact artifact = plugins.resolve(plugin, tools, session);
            boolean unbound = plugin.getExecutions().stream().anyMatch(one -> one.getPhase() == null);
            if (unbound) {
                PluginDescriptor descriptor = descriptors.getPluginDescriptor(plugin, tools, session);
                for (PluginExecution execution : plugin.getExecutions()) {
                    for (String goal : execution.getGoals()) {
                        MojoDescriptor mojo = descriptor.getMojo(goal);
                        if (execution.getPhase() == null && mojo != null) {
                            needed = nearer(needed, mojo.getPhase(), packaged);
                        }
                    }
                }
            }
            if (needed != null) {
                plugins.resolve(plugin, artifact, null, tools, session);
            }
        } catch (Exception error) {
            lacking(error, needed == null ? "build" : needed, name);
        }
    }

    /** Whatever an exception says is missing, or the artifact that it was asked for. */
    private void lacking(Throwable error, String needed, String name) {
        for (Throwable one = error; one != null; one = one.getCause()) {
            if (one instanceof ArtifactResolutionException) {
                for (ArtifactResult result : ((ArtifactResolutionException) one).getResults()) {
                    lacking(result, needed);
                }
                return;
            }
        }
        line("lacks", needed, "unreachable", name, error.getMessage());
    }

    private void lacking(ArtifactResult result, String needed) {
        if (result.isResolved()) {
            return;
        }
        Exception worst = null;
        for (Exception one : result.getExceptions()) {
            worst = worst == null || worst instanceof ArtifactNotFoundException ? one : worst;
        }
        boolean absent = worst == null || worst instanceof ArtifactNotFoundException;
        String words = worst == null ? "" : worst.getMessage();
        line("lacks", needed, absent ? "absent" : "unreachable", result.getRequest().getArtifact().toString(), words);
    }

    private void line(String... fields) {
        List<String> plain = new ArrayList<>();
        for (String field : fields) {
            plain.add(String.valueOf(field).replaceAll("\\s+", " "));
        }
        report.add(String.join("\t", plain));
    }

    /** Parents and imported lists of versions, by the person's repositories alone. */
    private final class Parents implements ModelResolver {
        @Override
        public ModelSource resolveModel(String group, String name, String version) throws UnresolvableModelException {
            Artifact wanted = new DefaultArtifact(group, name, "pom", version);
            try {
                ArtifactRequest request = new ArtifactRequest(wanted, libraries, "project");
                return new FileModelSource(system.resolveArtifact(session, request).getArtifact().getFile());
            } catch (ArtifactResolutionException error) {
                lacking(error, "build", wanted.toString());
                throw new UnresolvableModelException(error.getMessage(), group, name, version, error);
            }
        }

        @Override
        public ModelSource resolveModel(Parent parent) throws UnresolvableModelException {
            return resolveModel(parent.getGroupId(), parent.getArtifactId(), parent.getVersion());
        }

        @Override
        public ModelSource resolveModel(Dependency bill) throws UnresolvableModelException {
            return resolveModel(bill.getGroupId(), bill.getArtifactId(), bill.getVersion());
        }

        @Override
        public void addRepository(Repository repository) {}

        @Override
        public void addRepository(Repository repository, boolean replace) {}

        @Override
        public ModelResolver newCopy() {
            return this;
        }
    }
}
